import type { Caller } from '../client/caller.ts';
import type { FaultServer } from '../faults/faultServer.ts';
import type { Subscriber } from '../receivers/subscribe.ts';
import type { SoakStack } from '../soakStack.ts';
import { Latencies } from './latencies.ts';
import { MemoryCurve, residentMb } from './memory.ts';
import type { Violations } from './violations.ts';

const sampleMs = 3000;
const minuteMs = 60_000;
const mb = 1024 * 1024;

export interface Reported {
  stack: SoakStack;
  caller: Caller;
  faults: FaultServer;
  violations: Violations;
}

/** How many deliveries have not been accepted yet. A webhook may come before the answer to the request that it is about. */
export const outstandingOf = (subscribers: readonly Subscriber[]): number =>
  subscribers.reduce(
    (sum, { receiver: { account, accepted } }) => sum + Math.max(0, account.records.changes - accepted.count),
    0,
  );

/** Prints a line every minute, and samples the memory of the stack. */
export class Reporter {
  readonly memory = new MemoryCurve();
  /** Of the whole soak. */
  readonly latencies = new Latencies();
  private ofMinute = new Latencies();
  private subscribers: readonly Subscriber[] = [];
  private readonly reported: Reported;
  private readonly print: (line: string) => void;
  private readonly timers: NodeJS.Timeout[] = [];
  private minutes = 0;
  private sentBefore = 0;
  private outages = 0;

  constructor(reported: Reported, print: (line: string) => void) {
    this.reported = reported;
    this.print = print;
  }

  record = (kind: string, ms: number): void => {
    this.latencies.record(kind, ms);
    this.ofMinute.record(kind, ms);
  };

  /** @param subscribers those whose webhooks are outstanding */
  begin(subscribers: readonly Subscriber[]): void {
    this.subscribers = subscribers;
    if (residentMb(process.pid) === undefined)
      this.print('This system has no /proc: the memory is not measured.');
    this.timers.push(
      setInterval(() => this.sample(), sampleMs),
      setInterval(() => this.minute(), minuteMs),
    );
  }

  end(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.sample();
  }

  private sample(): void {
    const { outages, processId } = this.reported.stack;
    if (outages.length > this.outages) this.memory.begin();
    this.outages = outages.length;
    const resident = residentMb(processId);
    if (resident !== undefined && resident > 0) this.memory.add(resident);
  }

  private minute(): void {
    const { caller } = this.reported;
    const sent = caller.sent - this.sentBefore;
    this.sentBefore = caller.sent;
    this.print(
      [
        `minute ${++this.minutes}: ${sent} requests, ${Math.round((1000 * sent) / minuteMs)}/s`,
        `p50/p99 ms: ${this.ofMinute.inWords()}`,
        this.inWords(),
      ].join('; '),
    );
    this.ofMinute = new Latencies();
  }

  /** What has happened since the beginning, and how things are. */
  inWords(): string {
    const { caller, faults, stack, violations } = this.reported;
    const faulty = Object.entries(faults.counts).map(([kind, count]) => `${count} ${kind}`);
    return [
      `so far: ${caller.failed.answers} × 5xx and ${caller.failed.connections} broken connections`,
      `faults of calls: ${faulty.join(', ')}`,
      `${stack.outages.length} kills`,
      `${violations.count} violations`,
      `${outstandingOf(this.subscribers)} webhooks outstanding`,
      `stack ${Math.round(this.memory.latest ?? 0)} MB, soak ${Math.round(process.memoryUsage.rss() / mb)} MB`,
    ].join('; ');
  }
}
