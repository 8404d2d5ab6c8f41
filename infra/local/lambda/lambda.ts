import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { awsEnvironment } from '../template/template.ts';
import type { Environment, Invocation, Outcome } from './lambdaWorker.ts';

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

  /** Processes an event. An environment stays in use after an error of its function, as on AWS. */
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

/** How long an environment may be idle before it ends. On AWS this takes some minutes, but there, idle memory costs nothing. */
const idleMs = 30_000;

interface WaitingRequest {
  since: number;
  resolve: (environment: ExecutionEnvironment) => void;
  reject: (error: Error) => void;
}

/**
 * The execution environments of a function. On AWS, each request that finds none idle starts one. Here, a start takes CPU time from the others.
 * So a new one starts only after a request has waited for as long as the last start took, and they start one after the other. As a result, a
 * quick function has few environments, and one that waits for webhook receivers soon has one for each event, up to the maximum.
 */
class ExecutionEnvironments {
  private readonly settings: LambdaSettings;
  private readonly sink: LineSink;
  private readonly deployed: Promise<void>;
  private readonly all = new Set<ExecutionEnvironment>();
  /** Each idle environment, with the timer that ends it. The last one is used first, so that the others can end. */
  private readonly idle = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  private readonly waiting = new Set<WaitingRequest>();
  private isGrowing = false;
  private lastStartMs = 0;
  private isStopped = false;

  constructor(settings: LambdaSettings, sink: LineSink, deployed: Promise<void>) {
    this.settings = settings;
    this.sink = sink;
    this.deployed = deployed;
  }

  /** Takes an idle environment, or waits for the next one. @throws LambdaError */
  take(): Promise<ExecutionEnvironment> {
    const taken = this.takeIdle();
    if (taken) return Promise.resolve(taken);
    return new Promise((resolve, reject) => {
      this.waiting.add({ resolve, reject, since: performance.now() });
      void this.grow();
    });
  }

  /** Returns an environment that can be reused. */
  giveBack(environment: ExecutionEnvironment): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next.resolve(environment);
      return;
    }
    const timer = setTimeout(() => this.discard(environment), idleMs);
    this.idle.set(environment, timer.unref());
  }

  discard(environment: ExecutionEnvironment): void {
    this.forget(environment);
    void environment.end();
    void this.grow();
  }

  /** Reports an error of an environment, unless it ended with the stack. */
  report(error: Error): void {
    if (!this.isStopped) this.sink(this.settings.functionName, error.message);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { reject } of this.waiting)
      reject(new LambdaError(`${this.settings.functionName} was stopped`));
    this.waiting.clear();
    await Promise.all([...this.all].map((environment) => environment.end()));
  }

  private takeIdle(): ExecutionEnvironment | undefined {
    const environment = [...this.idle.keys()].at(-1);
    if (!environment) return undefined;
    clearTimeout(this.idle.get(environment));
    this.idle.delete(environment);
    return environment;
  }

  /** Starts environments until no request waits too long. */
  private async grow(): Promise<void> {
    if (this.isGrowing) return;
    this.isGrowing = true;
    await this.deployed;
    for (let [first] = this.waiting; first && this.hasRoom(); [first] = this.waiting) {
      const leftMs = first.since + this.waitMs() - performance.now();
      if (leftMs <= 0 || this.all.size === 0) await this.start();
      else await sleep(leftMs);
    }
    this.isGrowing = false;
  }

  private waitMs = (): number => Math.max(this.lastStartMs, this.settings.waitMs);

  private hasRoom = (): boolean => this.all.size < this.settings.environmentsMax;

  private async start(): Promise<void> {
    const environment = new ExecutionEnvironment(this.settings, this.sink);
    this.all.add(environment);
    environment.onEnd(() => this.forget(environment));
    const started = performance.now();
    try {
      await environment.ready();
      this.lastStartMs = performance.now() - started;
      this.giveBack(environment);
    } catch (error) {
      this.fail(environment, error as Error);
    }
  }

  /** Handles a failed start: the first waiting request fails, and the next one causes another start. */
  private fail(environment: ExecutionEnvironment, error: Error): void {
    this.report(error);
    const [first] = this.waiting;
    if (first) this.waiting.delete(first);
    first?.reject(error);
    this.discard(environment);
  }

  private forget(environment: ExecutionEnvironment): void {
    this.all.delete(environment);
    clearTimeout(this.idle.get(environment));
    this.idle.delete(environment);
  }
}

export interface LambdaSettings extends Environment {
  variables: Record<string, string>;
  timeoutMs: number;
  environmentsMax: number;
  /** How long an event waits for a busy environment, at least, before another one starts. */
  waitMs: number;
  /** The folder where Node.js stores compiled code. It halves the CPU time of a start. */
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

/** The time limit for loading the code. As on AWS, the function's timeout does not include it. */
const loadMs = 60_000;

/** The size of the heap for new objects: half of Node.js's default. With less, collecting garbage takes more CPU time. */
const youngGenerationMb = 24;

/** An execution environment of a function: a thread that has loaded its code and processes one event at a time. */
class ExecutionEnvironment {
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
    // An idle environment can also crash, through an error in work that the function left running.
    this.worker.on('error', () => {});
    for (const stream of [this.worker.stdout, this.worker.stderr]) this.passOn(stream, sink);
  }

  async ready(): Promise<void> {
    await this.nextMessage(loadMs);
  }

  /** @throws LambdaError if the environment can no longer be used, but not if the function threw */
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

  /** @throws LambdaError if the environment ends, or sends no message within `ms` */
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
