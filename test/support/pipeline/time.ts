import { vi } from 'vitest';
import { handler as sweepDeliveries } from '../../../functions/pipeline/sweepDeliveries.ts';
import { env, required } from '../../../lib/env.ts';
import { webhooksTable } from '../../../lib/webhooks/model/webhooksTable.ts';
import { scan } from '../data/scan.ts';
import { onWire } from '../faults/wire.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import type { DeferredQueue } from './deferred.ts';
import type { DeliveryQueues } from './deliveryQueues.ts';

const handler = asFunction('sweepDeliveries', sweepDeliveries);

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** How long a failed message stays invisible. */
const invisibleMs = 180_000;

export const sweep = (): Promise<void> => handler({} as never, lambdaContext(60_000));

/** When the sweep has something to do next, in epoch milliseconds. One scan, as there are few items: its eight partitions would be as many calls. */
async function nextSweep(): Promise<number> {
  const due = await scan(required(env.webhooksTable), {
    IndexName: webhooksTable.due.name,
    FilterExpression: 'begins_with(due_partition, :due)',
    ExpressionAttributeValues: { ':due': 'due#' },
    ProjectionExpression: 'enqueue_at',
  });
  const first = Math.min(...due.map(({ enqueue_at }) => Date.parse(enqueue_at as string)));
  return Math.ceil(first / minuteMs) * minuteMs;
}

/** A virtual clock for this process and its embedded queues. It jumps from one event to the next. */
export class VirtualTime {
  private readonly queues: DeliveryQueues;
  private readonly deferred: DeferredQueue;
  private readonly messageTimes = new Set<number>();
  private undo = () => {};

  constructor(queues: DeliveryQueues, deferred: DeferredQueue) {
    this.queues = queues;
    this.deferred = deferred;
  }

  /** Notes when messages can be received. */
  open(): void {
    this.undo = onWire((call, send) => {
      if (call.name === 'SendMessageBatch')
        for (const { DelaySeconds } of call.input.Entries as { DelaySeconds: number }[])
          this.messageTimes.add(Date.now() + DelaySeconds * 1000);
      return send();
    });
  }

  close(): void {
    this.undo();
    this.reset();
  }

  /** Restores the real clock. */
  reset(): void {
    vi.useRealTimers();
    this.messageTimes.clear();
  }

  /** Sets the clock, and stops it. */
  set(to: number): void {
    if (vi.isFakeTimers()) vi.setSystemTime(to);
    else vi.useFakeTimers({ toFake: ['Date'], now: to });
  }

  /** Lets time pass: messages are received when they are due, and the sweep runs every minute. */
  async pass(ms: number): Promise<void> {
    const end = Date.now() + ms;
    this.set(Date.now());
    for (;;) {
      const failedBefore = await this.deferred.handleAll();
      const { failed } = await this.queues.handleAll();
      if (failedBefore + failed > 0) this.messageTimes.add(Date.now() + invisibleMs);
      for (const time of this.messageTimes) if (time <= Date.now()) this.messageTimes.delete(time);
      const sweepAt = Math.max(await nextSweep(), Math.floor(Date.now() / minuteMs + 1) * minuteMs);
      const next = Math.min(sweepAt, ...this.messageTimes);
      if (next > end) break;
      this.set(next);
      // A failed sweep is not retried on AWS either: the next one runs in a minute.
      if (next === sweepAt) await sweep().catch(() => {});
    }
    this.set(end);
  }
}
