import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { type InboxMessage, ingest } from '../../../lib/inbox/ingest.ts';
import { withSeparateMemory } from '../../support/data/separateMemory.ts';
import { SimulatedDatabase, Usage } from '../database.ts';
import { Random } from '../random.ts';
import { elapsedMs, runUntil, sleep } from '../virtualTime.ts';

/** What the inbox gets, in virtual time. */
export interface InboxLoad {
  /** The contacts of an account that are deleted at once. */
  deletions: number;
  seed: number;
}

export interface InboxResult {
  /** Until the last deletion was made. */
  deletionsMs: number;
  writeUnits: number;
  cancelled: number;
  /** How long record messages of another account took, one each 100 ms. */
  others: number[];
}

/** As `ingest.ts` of the stacks has them. */
const [functionCount, batchMax, windowMs] = [5, 98, 1000];
const [comesSoonMs, comesAgainMs] = [3000, 360_000];
const timeoutMs = 40_000;

/** Hands messages to functions as SQS and Lambda do. */
class Inbox {
  private readonly queue: { message: InboxMessage; at: number; done: () => void }[] = [];

  send(said: object): Promise<void> {
    return new Promise((done) => {
      const body = JSON.stringify({ resource: 'contacts', ...said });
      this.queue.push({ message: { id: `m${Math.random()}`, body }, at: elapsedMs(), done });
    });
  }

  /** One function, which takes batch after batch. */
  async work(): Promise<void> {
    for (;;) {
      const batch = this.take(batchMax);
      if (batch.length === 0) {
        await sleep(10);
        continue;
      }
      for (const end = elapsedMs() + windowMs; batch.length < batchMax && elapsedMs() < end; ) {
        await sleep(50);
        batch.push(...this.take(batchMax - batch.length));
      }
      const soon = new Set<string>();
      const messages = batch.map(({ message }) => message);
      const failed = await withSeparateMemory(() =>
        ingest(messages, Date.now() + timeoutMs, (id) => soon.add(id)),
      );
      for (const one of batch) {
        const { id } = one.message;
        if (!failed.includes(id)) one.done();
        else this.queue.push({ ...one, at: elapsedMs() + (soon.has(id) ? comesSoonMs : comesAgainMs) });
      }
    }
  }

  private take(count: number) {
    const due = this.queue.filter(({ at }) => at <= elapsedMs()).slice(0, count);
    for (const one of due) this.queue.splice(this.queue.indexOf(one), 1);
    return due;
  }
}

/** One account deletes contacts, and another one sends records meanwhile. */
export async function simulateInbox({ deletions, seed }: InboxLoad): Promise<InboxResult> {
  const random = new Random(seed);
  Math.random = random.next;
  const database = new SimulatedDatabase('aws', random);
  Object.assign(dynamodb(), { send: (command: never) => database.send(command) });
  const inbox = new Inbox();
  const rows = Array.from({ length: Math.max(deletions, 1) }, (_, i) => String(i));
  const run = async (): Promise<InboxResult> => {
    const state = (account: string, source_id: string, revision: number) =>
      inbox.send({ account, record: { source_id, revision, note: `${revision}` } });
    await Promise.all(rows.map((row) => state('busy', row, 1)));
    await state('other', 'row', 1);
    database.usage = new Usage();
    const started = elapsedMs();
    const others: number[] = [];
    const other = async (nth: number) => {
      await sleep(100 * nth);
      const sent = elapsedMs();
      await state('other', `row ${nth}`, 1);
      others.push(elapsedMs() - sent);
    };
    const gone = rows
      .slice(0, deletions)
      .map((source_id) => inbox.send({ account: 'busy', deleted: { source_id, revision: 2 } }));
    let deletionsMs = 0;
    const made = Promise.all(gone).then(() => {
      deletionsMs = elapsedMs() - started;
    });
    await Promise.all([made, ...Array.from({ length: 100 }, (_, nth) => other(nth))]);
    const { writeUnits, cancelled } = database.usage;
    return { deletionsMs, writeUnits, cancelled, others };
  };
  for (let i = 0; i < functionCount; i++) void inbox.work();
  return runUntil(run());
}
