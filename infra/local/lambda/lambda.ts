import { LambdaError, type LambdaSettings, type LineSink } from './executionEnvironment.ts';
import { ExecutionEnvironments } from './executionEnvironments.ts';
import type { Outcome } from './lambdaWorker.ts';

/** A Lambda function. */
export class Lambda {
  private readonly environments: ExecutionEnvironments;

  /** @param deployed resolves when the function may run */
  constructor(settings: LambdaSettings, sink: LineSink, deployed: Promise<void> = Promise.resolve()) {
    this.environments = new ExecutionEnvironments(settings, sink, deployed);
  }

  /** @returns the function's result as JSON @throws LambdaError */
  async invoke(event: unknown): Promise<string> {
    const outcome = await this.process(event);
    if ('error' in outcome) throw new LambdaError(outcome.error.message);
    return outcome.result ?? 'null';
  }

  async stop(): Promise<void> {
    await this.environments.stop();
  }

  /** A function that threw keeps its environment, as it does on AWS. */
  private async process(event: unknown): Promise<Outcome> {
    const environment = await this.environments.take();
    try {
      const outcome = await environment.process(event);
      this.environments.giveBack(environment);
      return outcome;
    } catch (error) {
      this.environments.report(error as Error);
      this.environments.discard(environment);
      throw error;
    }
  }
}
