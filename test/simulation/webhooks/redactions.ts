import type { DynamoDBRecord } from 'aws-lambda';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { eventId } from '../../../lib/feed/feedEntry.ts';
import { deferChanges } from '../../../lib/records/deferChanges.ts';
import { hideEvents, redactionKey } from '../../../lib/records/deletion/redaction.ts';
import { recordId } from '../../../lib/records/position.ts';
import { indexDeliveries } from '../../../lib/webhooks/log/indexDeliveries.ts';
import { deliveryKey, eventKey, subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { deferredFanOut } from '../../../lib/webhooks/redaction/redactionTurn.ts';
import { aStreamedRecord, changeTo, type StreamedRecord } from '../../support/data/streamedChanges.ts';
import { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import { Random } from '../random.ts';
import { elapsedMs, runUntil, sleep } from '../virtualTime.ts';
import { Account, subscribe } from './fairness.ts';
import { startPipeline } from './pipeline.ts';
import { receivers } from './receivers.ts';
import { SimulatedStream } from './stream.ts';

// How long it takes until subscribers are told of a deletion, and until its past is redacted; and what that costs other accounts.

const second = 1000;
const pollMs = 5;
const busy = 'acc_busy';

/** Records with so many versions and subscriptions each are deleted at once; other accounts change contacts alongside. */
export interface RedactionLoad {
  deletions: number;
  versions: number;
  /** How many of the latest versions have events. */
  events?: number;
  subscriptions: number;
  /** Whether each delivery has kept a response. */
  quotes: boolean;
  /** How long the other accounts change contacts; 0 for not at all. */
  seconds: number;
  seed: number;
}

export interface RedactionTimes {
  /** From each deletion until its event is stored. */
  toldMs: number[];
  /** From each deletion until nothing of its past is stored. */
  redactedMs: number[];
  /** From a change of another account until its webhook: by the stream, and by the queue of deferred changes. */
  streamMs: number[];
  deferredMs: number[];
  /** From a write of a delivery of another account until it is in the index. */
  indexedMs: number[];
}

export async function measureRedactions(load: RedactionLoad): Promise<RedactionTimes> {
  const random = new Random(load.seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  Object.assign(receivers, { arrivals: [], blipEvery: 0 });
  const stream = startPipeline(database, random);
  const indexedMs: number[] = [];
  const logs = load.seconds > 0 ? indexing(database, indexedMs) : undefined;
  const healthy = { healthy: 1, bad: 0 };
  const one = new Account('acc_one', healthy, stream, database);
  const two = new Account('acc_two', healthy, { write: defer }, database);
  const records = Array.from({ length: load.deletions }, (_, i) => aStreamedRecord(busy, i));
  seed(database, records, load);
  const results = await runUntil(
    Promise.all([
      ...records.map((record, i) => deleteAfter(second + 3 * i, record, load, database, stream)),
      ...[one, two].map((account) => changes(account, load.seconds)),
    ]),
  );
  stream.close();
  logs?.close();
  const deleted = results.filter((result) => result !== undefined);
  const latencies = (account: Account) =>
    account
      .measured()
      .map(({ at, body }) => at - (account.changedAt[Number(JSON.parse(body).data.note)] as number));
  return {
    toldMs: deleted.map(({ toldMs }) => toldMs),
    redactedMs: deleted.map(({ redactedMs }) => redactedMs),
    streamMs: latencies(one),
    deferredMs: latencies(two),
    indexedMs,
  };
}

const defer = async (changed: readonly Change[]): Promise<void> => {
  await deferChanges(deferredFanOut, changed as readonly DynamoDBRecord[]);
};

/** Indexes deliveries from the stream of their table. */
function indexing(database: SimulatedDatabase, indexedMs: number[]): SimulatedStream {
  const writtenAt = new Map<string, number>();
  let sequence = 0;
  const stream = new SimulatedStream({
    // As deliveryChanges.ts has them.
    batchSize: 1000,
    batchesAtOnce: 1,
    handle: async (records) => {
      await sleep(second);
      const failed = await indexDeliveries(records as never, Date.now() + 10 * second);
      for (const { dynamodb } of records)
        if (!failed.includes(dynamodb.SequenceNumber) && !JSON.stringify(dynamodb.Keys).includes(busy))
          indexedMs.push(elapsedMs() - (writtenAt.get(dynamodb.SequenceNumber) as number));
      return failed;
    },
  });
  database.onWrite = ({ pk, sk }) => {
    if (!/^acc_\w+#whs_\w+#\d+$/.test(String(pk))) return;
    const SequenceNumber = String(++sequence);
    writtenAt.set(SequenceNumber, elapsedMs());
    const Keys = { pk: { S: String(pk) }, sk: { S: String(sk) } };
    void stream.write([{ eventName: 'MODIFY', dynamodb: { Keys, SequenceNumber } } as never]);
  };
  return stream;
}

/** Puts records with their events and deliveries into the database. */
function seed(
  database: SimulatedDatabase,
  records: readonly StreamedRecord[],
  { versions, events = versions, subscriptions, quotes }: RedactionLoad,
): void {
  const ids = Array.from({ length: subscriptions }, (_, nth) => `whs_${String(nth).padStart(24, '0')}`);
  for (const [nth, id] of ids.entries()) {
    subscribe(database, busy, nth, { path: String(nth), isQuick: true });
    const key = subscriptionKey(busy, id);
    const logged = { count: records.length * events, days: {} };
    database.set({ ...database.get(key), logged, event_types: ['contact.deleted'] });
  }
  const attempt = { number: 1, http_status: 200, response_excerpt: quotes ? 'canary' : null };
  for (const [i, record] of records.entries()) {
    const { id } = record;
    for (let nth = 0; nth < events; nth++) {
      const event = eventId(busy, { id, version: versions - nth });
      const position = i * events + nth;
      database.set({
        ...eventKey(busy, event),
        body: JSON.stringify({ type: 'contact.updated', resource: { type: 'contact', id }, data: 'canary' }),
        delivery_positions: Object.fromEntries(ids.map((subscription) => [subscription, position])),
      });
      for (const subscription of ids)
        database.set({
          ...deliveryKey(busy, subscription, position),
          id: recordId('dlv', position, new Uint8Array(10)),
          event_id: event,
          event_type: 'contact.updated',
          subscription_id: subscription,
          resource: { type: 'contact', id },
          phase: { at: 'ended', how: 'succeeded' },
          phase_number: 3,
          attempt_count: 1,
          attempts: [attempt],
        });
    }
  }
}

async function deleteAfter(
  ms: number,
  record: StreamedRecord,
  { versions, subscriptions }: RedactionLoad,
  database: SimulatedDatabase,
  stream: SimulatedStream,
): Promise<{ toldMs: number; redactedMs: number }> {
  await sleep(ms);
  // The transaction of the deletion, which is measured elsewhere.
  database.set(hideEvents(busy, record.id, versions).Put?.Item as Item);
  const deletedAt = elapsedMs();
  const change = changeTo(record, versions + 1, { deleted_at: new Date().toISOString() });
  void stream.write([change as Change]);
  const until = async (isSo: () => boolean): Promise<number> => {
    while (!isSo()) await sleep(pollMs);
    return elapsedMs() - deletedAt;
  };
  const event = eventKey(busy, eventId(busy, { id: record.id, version: versions + 1 }));
  const isTold = () => subscriptions === 0 || database.get(event) !== undefined;
  const [toldMs, redactedMs] = await Promise.all([
    until(isTold),
    until(() => isRedacted(database.get(redactionKey(busy, record.id)))),
  ]);
  return { toldMs, redactedMs };
}

const isRedacted = (item: Item | undefined): boolean =>
  item?.left === 0 && (item.stuck as number[]).length === 0;

async function changes(account: Account, seconds: number): Promise<undefined> {
  for (const end = elapsedMs() + seconds * second; elapsedMs() < end; await sleep(400)) account.change();
  if (seconds > 0) await account.arrived();
}
