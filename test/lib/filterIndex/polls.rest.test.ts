import { afterEach, expect, test } from 'vitest';
import { handler as listContactsHandler } from '../../../functions/contacts/listContacts.ts';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { deferredIndex } from '../../../lib/filterIndex/deferredIndex.ts';
import { differencesOf } from '../../../lib/filterIndex/verify/differences.ts';
import { repair } from '../../../lib/filterIndex/verify/wrong.ts';
import { readCount } from '../../../lib/records/counter.ts';
import { deferChanges } from '../../../lib/records/deferChanges.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { type Contact, contacts, listContacts } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { index } from '../../support/pipeline/stream.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';
import { seeded } from '../../support/usage/random.ts';

// Readers who poll a list by `next_updated_since`, in virtual time: whatever is late, their copies are complete in the end.

const pipeline = usePipeline();
afterEach(() => pipeline.time.reset());
const list = asFunction('listContacts', listContactsHandler);

const writers = 4;
const perSecond = 20;
const steps = 60;
/** Enough that most are changed once at most: a change that a reader has missed stays missed. */
const contactCount = 200;
const limit = 20;

interface Answer {
  data: Contact[];
  pagination: { total: number; next_updated_since: string | null };
}

type Query = Record<string, string | number>;

async function get(account: string, query: Query): Promise<Answer & { next: Query | undefined }> {
  const event = gatewayEvent(listContacts, fullAccess(account), { query });
  const { statusCode, headers, body } = await list(event as never, lambdaContext(20_000));
  expect(statusCode, body).toBe(200);
  const [, next] = /<([^>]*)>; rel="next"/.exec(String(headers?.Link)) ?? [];
  return { ...JSON.parse(body), next: next && Object.fromEntries(new URL(next).searchParams) };
}

/** How readers come from one page to the next. @returns the next query; undefined at the end */
const walks: Record<string, (query: Query, answer: Awaited<ReturnType<typeof get>>) => Query | undefined> = {
  'by the last id': (query, { data }) => data.at(-1) && { ...query, after: (data.at(-1) as Contact).id },
  'by offset': (query, { pagination: { total } }) => {
    const offset = Number(query.offset ?? 0) + limit;
    return offset < total ? { ...query, offset } : undefined;
  },
  'by Link': (_, { next }) => next,
};

/** A reader with a copy. It polls page by page, and takes the time of its next poll from the first page. */
class Reader {
  readonly copy = new Map<string, Contact>();
  private readonly account: string;
  readonly walk: string;
  private since: Query = {};
  private next: string | undefined;
  private query: Query | undefined;

  constructor(account: string, walk: string) {
    this.account = account;
    this.walk = walk;
  }

  /** Reads a page. @returns whether it was the last one of its poll */
  async read(): Promise<boolean> {
    const query = this.query ?? { limit, ...this.since };
    const answer = await get(this.account, query);
    for (const contact of answer.data) this.copy.set(contact.id, contact);
    this.next ??= answer.pagination.next_updated_since ?? undefined;
    this.query = walks[this.walk]?.(query, answer);
    if (this.query) return false;
    this.since = { updated_since: this.next ?? '' };
    this.next = undefined;
    return true;
  }

  async poll(): Promise<void> {
    while (!(await this.read()));
  }
}

/** What makes changes late. In a run of one cause, no notes of another send readers back: so each cause shows by itself. */
const causes = ['nothing', 'the stream', 'the queue of deferred changes', 'a repair'] as const;
const seed = Number(process.env.TEST_SEED);

test.each(causes)(
  'readers who poll by next_updated_since miss nothing: late because of %s',
  async (cause) => {
    const below = seeded(seed);
    const happens = (percent: number) => below(100) < percent;
    const account = givenAccount();
    const drafts = Array.from({ length: contactCount }, () => aContact());
    let now = Date.parse('2026-03-01T09:30:00Z') + below(60_000);
    const pass = (ms: number) => {
      now += ms;
      pipeline.time.set(now);
    };
    pass(0);
    await givenContacts(account, drafts);
    await pipeline.index();
    // A list by `updated_since` has what was created since: a change soon after that would not be missed.
    pass(600_000);
    const waiting: { change: Change; at: number }[] = [];
    /** Without a cause, no change is so late that it is noted: nothing but the minute helps. */
    const lateness = () => {
      if (cause === 'the stream' && happens(5)) return 70_000 + below(60_000);
      return happens(20) ? below(17_000) : below(1500);
    };
    const told: { change: Change; until: number }[] = [];
    const tell = async (): Promise<void> => {
      for (const change of (await pipeline.changes()).get(account) ?? [])
        if (cause !== 'a repair' || !happens(3)) waiting.push({ change, at: now + lateness() });
      const due = waiting.filter(({ at }) => at <= now);
      for (const one of due) waiting.splice(waiting.indexOf(one), 1);
      const batch = due.map(({ change }) => change).sort(() => below(2) - 0.5);
      if (batch.length === 0) return;
      const isNew = batch.some(({ dynamodb }) => dynamodb.OldImage === undefined);
      if (cause === 'the queue of deferred changes' && !isNew && happens(10))
        expect(await deferChanges(deferredIndex, batch)).toEqual(batch);
      else expect(await index(batch)).toEqual([]);
      if (cause !== 'the queue of deferred changes') await indexDeferred();
      // Told again: not so late that it is noted.
      const again = told.filter(({ until }) => until > now)[below(told.length)];
      if (again && happens(10)) expect(await index([again.change])).toEqual([]);
      told.push(...due.map(({ change }) => ({ change, until: timeOf(change) + 18_000 })));
    };
    const indexDeferred = async () => expect(await pipeline.deferredIndex.handleAll()).toBe(0);
    const readers = Object.keys(walks).map((walk) => new Reader(account, walk));
    const pollAll = async () => {
      for (const reader of readers) await reader.poll();
    };
    await pollAll();
    for (let step = 0; step < steps; step++) {
      await Promise.all([
        ...Array.from({ length: writers }, async (_, writer) => {
          if (happens(3)) drafts.push(aContact());
          const mine = drafts.filter((_, i) => i % writers === writer);
          await givenContacts(account, [{ ...mine[below(mine.length)], note: `${step} ${writer}` }]);
        }),
        ...readers.filter(() => happens(40)).map((reader) => reader.read()),
      ]);
      pass(1000 / perSecond);
      await tell();
    }
    // Nobody changes anything any more, and what is late comes.
    while (waiting.length > 0) {
      pass(2000);
      await tell();
      await pollAll();
    }
    pass(70_000);
    await pollAll();
    await indexDeferred();
    const ref = { account, type: 'contact' } as const;
    if (cause === 'a repair') await repair(await differencesOf(ref, 0, await readCount(ref)));
    // One ends the poll that it is in, the next one learns what was late, and the last one reads it.
    for (let i = 0; i < 3; i++) await pollAll();
    const { data } = await listRecords(inAccount(contacts, account), { limit: 1000, offset: 0 });
    const truth = new Map(data.map(({ id, version }) => [id, version]));
    for (const { walk, copy } of readers)
      expect(new Map(data.map(({ id }) => [id, copy.get(id)?.version])), walk).toEqual(truth);
  },
);

const timeOf = ({ dynamodb }: Change): number => Date.parse(String(dynamodb.NewImage?.updated_at?.S));
