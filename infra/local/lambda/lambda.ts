import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { awsEnvironment } from '../template/template.ts';
import type { Environment, Outcome } from './lambdaWorker.ts';
import { traceOf } from './traceHeaders.ts';

export interface LambdaSettings extends Environment {
  variables: Record<string, string>;
  timeoutMs: number;
  /** The most events that it processes at once. */
  environmentsMax: number;
  /** RecursiveLoop is `Allow`: the function may be invoked any number of times in one chain of requests. */
  mayRecur: boolean;
}

export const functionArn = (name: string): string =>
  `arn:${awsEnvironment.partition}:lambda:${awsEnvironment.region}:${awsEnvironment.account}:function:${name}`;

/** Receives each line that a function writes to its standard output and standard error. */
export type LineSink = (functionName: string, line: string) => void;

/** The invocation failed: the function threw, crashed or timed out. */
export class LambdaError extends Error {
  override name = 'LambdaError';
}

/** The most invocations of a function in one chain of requests. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
const recursionsMax = 16;

/** The time limit for loading the code. As on AWS, the timeout of the function does not include it. */
const loadMs = 60_000;

interface EnvironmentRequest {
  resolve: (environment: Worker | Promise<Worker>) => void;
  reject: (error: LambdaError) => void;
}

/** A Lambda function. Its execution environments start on demand, are kept, and process one event at a time each. */
export class Lambda {
  private readonly settings: LambdaSettings;
  private readonly sink: LineSink;
  private readonly all = new Set<Worker>();
  private readonly idle: Worker[] = [];
  private readonly queue: EnvironmentRequest[] = [];
  private isStopped = false;

  constructor(settings: LambdaSettings, sink: LineSink) {
    this.settings = settings;
    this.sink = sink;
  }

  /**
   * @param traceHeaders the trace headers of the messages that cause the invocation
   * @returns the function's result as JSON
   * @throws LambdaError
   */
  async invoke(event: unknown, traceHeaders: readonly string[] = []): Promise<string> {
    const trace = this.nextTrace(traceHeaders);
    const worker = await this.environment();
    const { timeoutMs } = this.settings;
    const answered = this.nextMessage<Outcome>(worker, timeoutMs);
    worker.postMessage({
      event: JSON.stringify(event),
      requestId: randomUUID(),
      deadline: Date.now() + timeoutMs,
      trace,
    });
    const outcome = await answered;
    // A function that threw keeps its environment, as it does on AWS.
    this.release(worker);
    if ('error' in outcome) throw new LambdaError(outcome.error.message);
    return outcome.result ?? 'null';
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

  /** Discards an environment that ends, or sends no message within `ms`. @throws LambdaError */
  private async nextMessage<T>(worker: Worker, ms: number): Promise<T> {
    const { functionName } = this.settings;
    const message = Promise.withResolvers<T>();
    const timer = setTimeout(() => message.reject(new LambdaError(`${functionName} timed out`)), ms);
    const crashed = (reason: unknown) =>
      message.reject(new LambdaError(`${functionName} crashed: ${reason}`));
    worker.once('message', message.resolve).once('error', crashed).once('exit', crashed);
    try {
      return await message.promise;
    } catch (error) {
      // An invocation that ends with the stack has not failed.
      if (!this.isStopped) this.sink(functionName, (error as Error).message);
      this.discard(worker);
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('message', message.resolve).off('error', crashed).off('exit', crashed);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    // First, because `discard` would start a new environment for each waiting request.
    for (const { reject } of this.queue.splice(0))
      reject(new LambdaError(`${this.settings.functionName} was stopped`));
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private environment(): Worker | Promise<Worker> {
    const idle = this.idle.pop();
    if (idle) return idle;
    if (this.all.size < this.settings.environmentsMax) return this.start();
    return new Promise((resolve, reject) => this.queue.push({ resolve, reject }));
  }

  private async start(): Promise<Worker> {
    const { variables, memoryMb } = this.settings;
    const worker = new Worker(new URL('./lambdaWorker.ts', import.meta.url), {
      workerData: this.settings satisfies Environment,
      env: variables,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.all.add(worker);
    // An idle environment can crash too, by an error in work that the function left running.
    worker.on('error', () => {}).once('exit', () => this.forget(worker));
    for (const stream of [worker.stdout, worker.stderr]) this.passOn(stream);
    await this.nextMessage(worker, loadMs);
    return worker;
  }

  private passOn(stream: NodeJS.ReadableStream): void {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.sink(this.settings.functionName, line);
    });
  }

  private release(worker: Worker): void {
    const next = this.queue.shift();
    if (next) next.resolve(worker);
    else this.idle.push(worker);
  }

  private discard(worker: Worker): void {
    this.forget(worker);
    void worker.terminate();
    this.queue.shift()?.resolve(this.start());
  }

  private forget(worker: Worker): void {
    this.all.delete(worker);
    const at = this.idle.indexOf(worker);
    if (at >= 0) this.idle.splice(at, 1);
  }
}
