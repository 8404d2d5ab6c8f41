import { setTimeout as sleep } from 'node:timers/promises';
import {
  ExecutionEnvironment,
  LambdaError,
  type LambdaSettings,
  type LineSink,
} from './executionEnvironment.ts';

/** How long an environment may be idle before it is ended. On AWS that takes some minutes, and nobody pays for its memory. */
const idleMs = 30_000;

interface WaitingRequest {
  since: number;
  resolve: (environment: ExecutionEnvironment) => void;
  reject: (error: Error) => void;
}

/**
 * The execution environments of a function. On AWS each request that finds none idle starts one. Here a start takes CPU time from
 * the others. So one starts when a request has waited for as long as the last start took, and they start one after the other: a quick
 * function has few of them, and one that waits for receivers of webhooks soon has one for each event, up to the maximum.
 */
export class ExecutionEnvironments {
  private readonly settings: LambdaSettings;
  private readonly sink: LineSink;
  private readonly deployed: Promise<void>;
  private readonly all = new Set<ExecutionEnvironment>();
  /** With the timers that end them. The last one is used first, so that the others can end. */
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

  /** Returns an environment that can be used again. */
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

  /** Ends an environment. */
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

  /** When an environment does not start, the first request that waits fails, and another start is tried for the next one. */
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
