import { is } from '../../dynamodb/expressions.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { lateness } from '../../logs/metrics.ts';
import { isSubscriptionId } from '../model/subscriptions.ts';
import { dueShards, isRedeliveryId, ownerOf } from '../model/webhookKeys.ts';
import { webhooksTable } from '../model/webhooksTable.ts';
import { deliveryMessage, enqueueDeliveries, type OutgoingMessage, recoveryMessage } from './messages.ts';

/** A message may wait in a long queue, so it counts as lost only after this time. */
const limitMs = 15 * 60_000;

/** Three full batches of messages. Many more calls at once would wait for connections until they time out. */
const pageSize = 30;

/**
 * Sends a message for every delivery and recovery that is due: at its time, and again after a lost message or a crash.
 * @param deadline epoch milliseconds; the next sweep does the remaining work
 */
export async function sweep(deadline: number): Promise<void> {
  const results = await Promise.allSettled(dueShards.map((shard) => sweepShard(shard, deadline)));
  const swept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const enqueued = swept.reduce((sum, one) => sum + one.enqueued, 0);
  // The deliveries of an unread shard may be late, so the metric is left out. A 0 would end the alarm.
  if (swept.length < results.length) log.warn('swept in part', { enqueued });
  else
    log.info('swept', {
      enqueued,
      ...lateness('overdue_seconds', Math.max(0, ...swept.map(({ lateMs }) => lateMs))),
    });
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

interface DueEntry {
  pk: string;
  sk: string;
  enqueue_at: string;
  id?: string;
  /** The time of the attempt of a delivery. */
  next_attempt_at?: string;
}

/** Yields the entries of a partition of the due index up to a time, RFC 3339 UTC, in the order of their times, page by page. */
const dueEntries = (
  partition: string,
  { pageSize, until }: { pageSize: number; until: string },
): AsyncGenerator<DueEntry[]> =>
  queryPages<DueEntry>({
    ...webhooks.where({ due_partition: partition, enqueue_at: is('<=', until) }),
    IndexName: webhooksTable.due.name,
    Limit: pageSize,
  });

interface ShardResult {
  enqueued: number;
  /** The longest delay among all due deliveries. */
  lateMs: number;
}

async function sweepShard(shard: string, deadline: number): Promise<ShardResult> {
  const now = Date.now();
  const swept: ShardResult = { enqueued: 0, lateMs: 0 };
  const until = new Date(now).toISOString();
  for await (const due of dueEntries(shard, { pageSize, until })) {
    const late = due.map(
      ({ next_attempt_at, enqueue_at }) => now - Date.parse(next_attempt_at ?? enqueue_at),
    );
    swept.lateMs = Math.max(swept.lateMs, ...late);
    swept.enqueued += await enqueueDue(due.filter(isDelivery));
    // Each sweep sends a message until a step has planned the next one.
    await enqueueDeliveries(due.filter((entry) => !isDelivery(entry)).map(messageFor));
    if (Date.now() > deadline) break;
  }
  return swept;
}

const isDelivery = ({ sk }: DueEntry): boolean => !isSubscriptionId(sk) && !isRedeliveryId(sk);

/** Sends messages first and records them afterwards. A crash in between sends a message twice, but never loses one. */
async function enqueueDue(due: readonly DueEntry[]): Promise<number> {
  const entries = new Map(due.map((entry) => [messageFor(entry), entry]));
  const sent = await enqueueDeliveries([...entries.keys()]);
  const noted = await Promise.allSettled(sent.map((one) => noteEnqueued(entries.get(one) as DueEntry)));
  const failed = noted.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) log.warn('some delivery messages were sent and not noted', { count: failed.length });
  return sent.length;
}

function messageFor({ pk, sk, id = '' }: DueEntry): OutgoingMessage {
  if (isSubscriptionId(sk)) return recoveryMessage(ownerOf(pk).account, sk);
  const { account, subscription } = ownerOf(pk);
  if (isRedeliveryId(sk)) return recoveryMessage(account, subscription, 0, sk);
  return deliveryMessage({ pk, id }, 'quick');
}

/** Plans the next message, unless an attempt has begun or ended since then. */
async function noteEnqueued({ pk, sk, enqueue_at }: DueEntry): Promise<void> {
  const later = new Date(Date.now() + limitMs).toISOString();
  await write(webhooks.update({ pk, sk }, { enqueue_at: later }, { if: { enqueue_at } }));
}
