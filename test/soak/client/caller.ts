import { setTimeout as sleep } from 'node:timers/promises';
import type { Violations } from '../report/violations.ts';
import { type Reply, type Request, send } from './http.ts';

export interface CallOptions {
  /** The name of the request in reports. */
  kind: string;
  /** Whether it may be sent again when its outcome is unknown. */
  mayRepeat?: boolean;
  /** When an open-loop load sends it, by `performance.now()`: its latency counts from then on. */
  dueAt?: number;
}

export interface CallerOptions {
  /** The base URL, which is another one after each restart. */
  url(): string;
  /** Whether an injected fault explains a failure of a request from one time to another, in epoch milliseconds. */
  explains(from: number, to: number): boolean;
  /** Notes how long an answer took. */
  record(kind: string, ms: number): void;
  violations: Violations;
}

/** A request that fails for so long has failed for good. */
const giveUpMs = 180_000;

/** The longest pause before a request is sent again. */
const pauseMaxMs = 4000;

/** The pauses double, and are random: otherwise all clients would come back at the same time after a restart. */
const pauseMs = (tries: number): number => Math.min(pauseMaxMs, 200 * 2 ** tries) * (0.5 + Math.random());

/** Sends requests as a real client does: it repeats what has failed, if it may. */
export class Caller {
  private readonly options: CallerOptions;
  /** How many requests were sent, repeated ones included. */
  sent = 0;
  /** How many had a 5xx, and how many no answer. */
  failed = { answers: 0, connections: 0 };

  constructor(options: CallerOptions) {
    this.options = options;
  }

  /** @returns the answer below 500; undefined when the outcome stays unknown */
  async call(
    request: Request,
    { kind, mayRepeat = true, dueAt = performance.now() }: CallOptions,
  ): Promise<Reply | undefined> {
    const end = Date.now() + giveUpMs;
    for (let tries = 0; Date.now() < end; await sleep(pauseMs(tries++))) {
      const reply = await this.try(request);
      if (reply) {
        this.options.record(kind, performance.now() - dueAt);
        return reply;
      }
      if (!mayRepeat) return undefined;
    }
    this.options.violations.add(`${request.method} ${request.path} failed for ${giveUpMs / 1000} seconds`);
    return undefined;
  }

  /** Sends a request once. @returns undefined after a failure of the server or of the connection */
  private async try(request: Request): Promise<Reply | undefined> {
    const from = Date.now();
    this.sent += 1;
    try {
      const reply = await send(this.options.url(), request);
      if (reply.status < 500) return reply;
      this.failed.answers += 1;
      this.judge(request, from, `${reply.status} ${reply.headers['x-request-id']}`);
    } catch (error) {
      this.failed.connections += 1;
      this.judge(request, from, String(error));
    }
    return undefined;
  }

  private judge({ method, path }: Request, from: number, what: string): void {
    const to = Date.now();
    if (!this.options.explains(from, to))
      this.options.violations.add(`${method} ${path} failed without a fault, in ${to - from} ms: ${what}`);
  }
}
