import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { awsEnvironment } from '../template/template.ts';
import type { Environment, Invocation, Outcome } from './lambdaWorker.ts';

export interface LambdaSettings extends Environment {
  variables: Record<string, string>;
  timeoutMs: number;
  /** The most events that it processes at once. */
  environmentsMax: number;
  /** The shortest wait of an event for a busy environment, before another one starts. */
  waitMs: number;
  /** The folder in which Node.js keeps compiled code. With it, an environment starts in half the CPU time. */
  codeCache: string;
}

export const functionArn = (name: string): string =>
  `arn:${awsEnvironment.partition}:lambda:${awsEnvironment.region}:${awsEnvironment.account}:function:${name}`;

/** Receives each line that a function writes to its standard output and standard error. */
export type LineSink = (functionName: string, line: string) => void;

/** The invocation failed: the function threw, crashed or timed out. */
export class LambdaError extends Error {
  override name = 'LambdaError';
}

/** The time limit for loading the code. As on AWS, the timeout of the function does not include it. */
const loadMs = 60_000;

/** The heap for new objects: half of what Node.js takes. With less, collecting garbage takes more CPU time. */
const youngGenerationMb = 24;

/** An execution environment of a function: a thread that has loaded its code and processes one event at a time. */
export class ExecutionEnvironment {
  private readonly settings: LambdaSettings;
  private readonly worker: Worker;

  constructor(settings: LambdaSettings, sink: LineSink) {
    const { variables, memoryMb, codeCache } = settings;
    this.settings = settings;
    this.worker = new Worker(new URL('./lambdaWorker.ts', import.meta.url), {
      workerData: settings satisfies Environment,
      env: { ...variables, NODE_COMPILE_CACHE: codeCache },
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
    });
    // An idle environment can crash too, by an error in work that the function left running.
    this.worker.on('error', () => {});
    for (const stream of [this.worker.stdout, this.worker.stderr]) this.passOn(stream, sink);
  }

  /** Waits until the code is loaded. @throws LambdaError */
  async ready(): Promise<void> {
    await this.nextMessage(loadMs);
  }

  /** @throws LambdaError when the environment cannot be used any more, not when the function threw */
  process(event: unknown): Promise<Outcome> {
    const { timeoutMs } = this.settings;
    const outcome = this.nextMessage<Outcome>(timeoutMs);
    this.worker.postMessage({
      event: JSON.stringify(event),
      requestId: randomUUID(),
      deadline: Date.now() + timeoutMs,
    } satisfies Invocation);
    return outcome;
  }

  onEnd(ended: () => void): void {
    this.worker.once('exit', ended);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** @throws LambdaError when the environment ends, or sends no message within `ms` */
  private async nextMessage<T>(ms: number): Promise<T> {
    const { worker } = this;
    const { functionName } = this.settings;
    const message = Promise.withResolvers<T>();
    const timer = setTimeout(() => message.reject(new LambdaError(`${functionName} timed out`)), ms);
    const crashed = (reason: unknown) =>
      message.reject(new LambdaError(`${functionName} crashed: ${reason}`));
    worker.once('message', message.resolve).once('error', crashed).once('exit', crashed);
    try {
      return await message.promise;
    } finally {
      clearTimeout(timer);
      worker.off('message', message.resolve).off('error', crashed).off('exit', crashed);
    }
  }

  private passOn(stream: NodeJS.ReadableStream, sink: LineSink): void {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) sink(this.settings.functionName, line);
    });
  }
}
