import { LambdaError, type LambdaSettings, type LineSink } from './executionEnvironment.ts';
import { ExecutionEnvironments } from './executionEnvironments.ts';
import type { Outcome } from './lambdaWorker.ts';
import { traceOf } from './traceHeaders.ts';

/** The most invocations of a function in one chain of requests. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
const recursionsMax = 16;

/** A Lambda function. */
export class Lambda {
  private readonly settings: LambdaSettings;
  private readonly sink: LineSink;
  private readonly environments: ExecutionEnvironments;

  /** @param deployed resolves when the function may run */
  constructor(settings: LambdaSettings, sink: LineSink, deployed: Promise<void> = Promise.resolve()) {
    this.settings = settings;
    this.sink = sink;
    this.environments = new ExecutionEnvironments(settings, sink, deployed);
  }

  /**
   * @param traceHeaders the trace headers of the messages that cause the invocation
   * @returns the function's result as JSON
   * @throws LambdaError
   */
  async invoke(event: unknown, traceHeaders: readonly string[] = []): Promise<string> {
    const outcome = await this.process(event, this.nextTrace(traceHeaders));
    if ('error' in outcome) throw new LambdaError(outcome.error.message);
    return outcome.result ?? 'null';
  }

  async stop(): Promise<void> {
    await this.environments.stop();
  }

  /** A function that threw keeps its environment, as it does on AWS. */
  private async process(event: unknown, trace: string): Promise<Outcome> {
    const environment = await this.environments.take();
    try {
      const outcome = await environment.process(event, trace);
      this.environments.giveBack(environment);
      return outcome;
    } catch (error) {
      this.environments.report(error as Error);
      this.environments.discard(environment);
      throw error;
    }
  }

  /** @throws LambdaError when the function is in a loop */
  private nextTrace(came: readonly string[]): string {
    const { functionName, mayRecur } = this.settings;
    const { header, invocations } = traceOf(functionName, came);
    if (mayRecur || invocations <= recursionsMax) return header;
    const message = `${functionName} was not invoked: it was invoked ${recursionsMax} times in this chain of requests, and its RecursiveLoop is not Allow`;
    this.sink(functionName, message);
    throw new LambdaError(message);
  }
}
