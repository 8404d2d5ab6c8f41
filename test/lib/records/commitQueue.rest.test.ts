import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transactionBytesMax } from '../../../lib/dynamodb/transact.ts';
import { base32 } from '../../../lib/ids.ts';
import { append } from '../../../lib/records/create/append.ts';
import { Bulk, commitAt, packDrafts, QueuedDraft } from '../../../lib/records/create/commit.ts';
import { newDraft } from '../../../lib/records/create/draft.ts';
import { createInGroup } from '../../../lib/records/create/follower.ts';
import { Leader } from '../../../lib/records/create/leader.ts';
import {
  appoint,
  enqueue,
  nameSuccessor,
  newTicket,
  noteContention,
  readOutcome,
  readQueue,
  removeTickets,
  withdrawDraft,
} from '../../../lib/records/create/queue.ts';
import { claimLease, endLease, readHead } from '../../../lib/records/head.ts';
import { blankContact, type Contact } from '../../../lib/resources/contacts/fields.ts';
import { contacts } from '../../../lib/resources/contacts/record.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import { allContacts } from '../../support/data/stored.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';
import { type Call, connectionLost, onWire, type Send, success } from '../../support/faults/wire.ts';
import { divertLog } from '../../support/run/logLines.ts';

let undo = () => {};
let log: ReturnType<typeof divertLog>;
beforeEach(() => {
  log = divertLog();
});
afterEach(() => {
  undo();
  log.end();
});

const hourMs = 3_600_000;
const soon = () => Date.now() + hourMs;
const ref = (account: string) => ({ account, type: contacts.type });
const aDraft = (email: string, external_id: string | null = null) =>
  newDraft<Contact>({ ...blankContact, email, external_id });

/** A creator that queued its draft and then did nothing more. */
async function givenQueued(account: string, email: string, deadline = soon()): Promise<string> {
  const draft = aDraft(email);
  const ticket = newTicket(base32(draft.seed));
  await enqueue(ref(account), { ticket, draft, deadline });
  return ticket;
}

const create = (account: string, email: string, deadline = soon()) =>
  createInGroup(contacts, account, aDraft(email), deadline);
const emails = async (account: string) => (await allContacts(account)).map(({ email }) => email);

const startOf = async (account: string, ticket: string) => ({
  ticket,
  predecessor: undefined,
  head: await readHead(ref(account)),
  callMs: 5,
  deadline: soon(),
});

/** A leader whose own draft is not in the queue. */
const commit = async (account: string) =>
  new Leader(contacts, ref(account), await startOf(account, 'nobody'), new QueuedDraft('nobody')).lead();
const tickets = async (account: string) => (await readQueue(ref(account))).map(({ ticket }) => ticket);

describe('a creator that has died', () => {
  test('while it waited has its draft committed by later creators, in order', async () => {
    const account = givenAccount();
    await givenQueued(account, 'dead@example.com');
    undo = simulateRemoteDatabase();
    await Promise.all(Array.from({ length: 12 }, () => create(account, 'a@example.com')));
    undo();
    expect((await emails(account))[0]).toBe('dead@example.com');
    expect(await emails(account)).toHaveLength(13);
  });

  test('and is past the deadline is never committed', async () => {
    const account = givenAccount();
    await givenQueued(account, 'late@example.com', Date.now() - 1);
    await Promise.all(Array.from({ length: 4 }, () => create(account, 'a@example.com')));
    expect(await emails(account)).not.toContain('late@example.com');
  });

  test('and passes the deadline while others commit is not committed either', async () => {
    const account = givenAccount();
    const ticket = await givenQueued(account, 'late@example.com', Date.now() + 150);
    undo = onWire(async (call, send) => {
      const answer = await send();
      if (call.name === 'Query') await sleep(200);
      return answer;
    });
    await commit(account);
    undo();
    expect((await readOutcome(ref(account), ticket)).outcome).toBeUndefined();
    expect(await emails(account)).toEqual([]);
  });

  test('does not delay others, also when there are hundreds', async () => {
    const account = givenAccount();
    // All at once they would keep this one process so busy that its own connections time out.
    const dead = Array.from({ length: 250 }, () => 'dead@example.com');
    await inPool(25, dead, (email) => givenQueued(account, email, Date.now() - 1));
    await create(account, 'alive@example.com', soon());
    expect(await emails(account)).toEqual(['alive@example.com']);
  });

  test.each([
    [
      'is left undone',
      (call: Call) => Promise.resolve(success({ UnprocessedItems: call.input.RequestItems })),
    ],
    ['fails', () => Promise.reject(new Error('died'))],
  ])(
    'or whose removal of items %s leaves nothing in the queue once all have got their answers',
    async (_, removeItems) => {
      const account = givenAccount();
      const real = simulateRemoteDatabase({ conflicts: false });
      let left = 1;
      const hook = onWire((call, send) =>
        call.name === 'BatchWriteItem' && left-- > 0 ? removeItems(call) : send(),
      );
      undo = () => {
        hook();
        real();
      };
      await Promise.all(Array.from({ length: 30 }, () => create(account, 'a@example.com')));
      undo();
      expect(await emails(account)).toHaveLength(30);
      expect(await readQueue(ref(account))).toEqual([]);
    },
  );

  test('between a commit and the removal of its tickets delays no one else', async () => {
    const account = givenAccount();
    await Promise.all(Array.from({ length: 60 }, () => givenQueued(account, 'committed@example.com')));
    undo = onWire((call, send) =>
      call.name === 'BatchWriteItem' ? Promise.reject(new Error('died')) : send(),
    );
    await commit(account);
    undo();
    expect((await readQueue(ref(account))).length).toBe(60);
    await create(account, 'next@example.com');
    expect(await emails(account)).toContain('next@example.com');
    expect(await emails(account)).toHaveLength(61);
  });
});

describe('a bulk in the queue', () => {
  const drafts = (count: number) =>
    Array.from({ length: count }, (_, i) => aDraft('bulk@example.com', `b${i}`));

  test('leads when it is the next, and takes the drafts of others with it', async () => {
    const account = givenAccount();
    undo = simulateRemoteDatabase();
    noteContention(ref(account));
    const [outcomes] = await Promise.all([
      append(contacts, account, drafts(120), soon()),
      ...Array.from({ length: 10 }, () => create(account, 'a@example.com')),
    ]);
    undo();
    expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(Array(120).fill('committed'));
    expect(await emails(account)).toHaveLength(130);
    expect(await tickets(account)).toEqual([]);
  });

  test('that has died delays the others for no longer than a lease, and is removed', async () => {
    const account = givenAccount();
    await enqueue(ref(account), { ticket: newTicket('dead'), deadline: soon() });
    for (const email of ['a@example.com', 'b@example.com']) await create(account, email, soon());
    expect(await emails(account)).toEqual(['a@example.com', 'b@example.com']);
    expect(await tickets(account)).toEqual([]);
  });
});

describe('a bulk that waits behind another', () => {
  const drafts = (count: number) =>
    Array.from({ length: count }, (_, i) => aDraft('bulk@example.com', `w${i}`));

  /** A bulk of 60 that waits while `first` leads, and has named it the successor. */
  async function givenSuccessor(account: string) {
    await claimLease(ref(account), 'first', hourMs);
    noteContention(ref(account));
    const appended = append(contacts, account, drafts(60), soon());
    const ticket = await anyTicketBut(account);
    await nameSuccessor(ref(account), ticket, 'first');
    return { appended, ticket };
  }

  async function anyTicketBut(account: string, other?: string): Promise<string> {
    for (;;) {
      const ticket = (await tickets(account)).find((one) => one !== other);
      if (ticket !== undefined) return ticket;
      await sleep(5);
    }
  }

  /** The last commit of `first`. */
  const commitAndPassTo = async (account: string, leader: string) =>
    commitAt(contacts, account, await readHead(ref(account)), [{ draft: aDraft('last@example.com') }], {
      leader,
      until: soon(),
      waitMs: 10,
    });

  const kinds = (outcomes: Awaited<ReturnType<typeof append>>) =>
    [...outcomes.values()].map(({ kind }) => kind);

  test('is named by it, and gets the lease with its last commit', async () => {
    const account = givenAccount();
    const next = newTicket('next');
    await enqueue(ref(account), { ticket: next, deadline: soon() });
    await claimLease(ref(account), 'first', 1000);
    await new Leader(contacts, ref(account), await startOf(account, 'first'), new Bulk(drafts(100))).lead();
    const { count, lease } = await readHead(ref(account));
    expect(count).toBe(100);
    expect(lease?.leader).toBe(next);
    expect(lease?.until).toBeGreaterThan(0);
    expect(await readOutcome(ref(account), next)).toMatchObject({
      succeeds: 'first',
      appointedBy: undefined,
    });
    // It has died. The others wait for its lease only, and remove it.
    expect(await create(account, 'a@example.com', soon())).toMatchObject({ kind: 'committed' });
    expect(await tickets(account)).toEqual([]);
  });

  test('leads as soon as it has the lease', async () => {
    const account = givenAccount();
    const { appended, ticket } = await givenSuccessor(account);
    expect(await readHead(ref(account))).toMatchObject({ count: 0, lease: { leader: 'first' } });
    await commitAndPassTo(account, ticket);
    expect(kinds(await appended)).toEqual(Array(60).fill('committed'));
    expect((await emails(account))[0]).toBe('last@example.com');
  });

  test('claims the lease when the one before ends it', async () => {
    const account = givenAccount();
    const { appended } = await givenSuccessor(account);
    await endLease(ref(account), 'first');
    expect(kinds(await appended)).toEqual(Array(60).fill('committed'));
  });

  test('queues again when another process leads in its place', async () => {
    const account = givenAccount();
    const { appended, ticket } = await givenSuccessor(account);
    await commitAndPassTo(account, 'another');
    await appoint(ref(account), await anyTicketBut(account, ticket), 'another');
    expect(kinds(await appended)).toEqual(Array(60).fill('committed'));
    expect(await tickets(account)).toEqual([]);
  });
});

test('a few drafts of a bulk are committed by whoever leads, in their order', async () => {
  const account = givenAccount();
  await claimLease(ref(account), 'first', hourMs);
  noteContention(ref(account));
  const drafts = Array.from({ length: 4 }, (_, i) => aDraft('few@example.com', `f${i}`));
  const appended = append(contacts, account, drafts, soon());
  while ((await tickets(account)).length < 4) await sleep(5);
  expect((await readQueue(ref(account))).every(({ draft }) => draft !== undefined)).toBe(true);
  await endLease(ref(account), 'first');
  await commit(account);
  const outcomes = await appended;
  for (const [position, draft] of drafts.entries())
    expect(outcomes.get(draft)).toMatchObject({ kind: 'committed', position });
  expect(await tickets(account)).toEqual([]);
});

test('a few drafts that are not committed in time are not stored', async () => {
  const account = givenAccount();
  await claimLease(ref(account), 'first', hourMs);
  noteContention(ref(account));
  expect(await append(contacts, account, [aDraft('few@example.com')], Date.now() + 200)).toEqual(new Map());
  await endLease(ref(account), 'first');
  await commit(account);
  expect(await emails(account)).toEqual([]);
});

test('a bulk that commits alone learns that others wait', async () => {
  const account = givenAccount();
  await givenQueued(account, 'waiting@example.com');
  await sleep(150);
  const bulk = () => Array.from({ length: 100 }, () => aDraft('bulk@example.com'));
  // A look at the queue that takes too long is given up.
  for (let looks = 0; looks < 50 && !(await emails(account)).includes('waiting@example.com'); looks++)
    await append(contacts, account, bulk(), soon());
  expect(await emails(account)).toContain('waiting@example.com');
});

describe('a leader', () => {
  test('appoints the process that has waited longest, once its own draft is committed', async () => {
    const account = givenAccount();
    // The bulk is older than the draft of the leader.
    await enqueue(ref(account), { ticket: newTicket('bulk'), deadline: soon() });
    await create(account, 'a@example.com');
    const [waiting] = await tickets(account);
    expect((await readOutcome(ref(account), waiting as string)).appointedBy).toMatch(/^\d{15}-/);
  });

  test('that ends leaves no lease', async () => {
    const account = givenAccount();
    await Promise.all(Array.from({ length: 8 }, () => create(account, 'a@example.com')));
    expect((await readHead(ref(account))).lease?.until).toBe(0);
  });

  test('that died keeps the others waiting for its lease only', async () => {
    const account = givenAccount();
    await claimLease(ref(account), 'dead', 300);
    expect(await create(account, 'a@example.com', soon())).toMatchObject({ kind: 'committed' });
  });
});

test('a removal that never ends delays no answer', async () => {
  const account = givenAccount();
  undo = onWire((call, send) => (call.name === 'BatchWriteItem' ? new Promise(() => {}) : send()));
  expect(await create(account, 'a@example.com')).toMatchObject({ kind: 'committed', position: 0 });
});

describe('a lost answer', () => {
  /** Loses the answers to the calls that `which` picks, after `meanwhile` has run. */
  function lose(
    which: (call: Call) => boolean,
    times: number,
    meanwhile: () => Promise<unknown> = async () => {},
  ): void {
    let left = times;
    undo = onWire(async (call: Call, send: Send) => {
      if (!which(call) || left === 0) return send();
      left -= 1;
      await send();
      await meanwhile();
      throw connectionLost();
    });
  }

  const isDraft = ({ name, input }: Call) => name === 'PutItem' && JSON.stringify(input).includes('#queue');

  test('to the put of a draft, while others commit it: it is committed once, and its creator learns the position', async () => {
    const account = givenAccount();
    lose(isDraft, 1, async () => {
      await sleep(50);
      await commit(account);
    });
    const outcome = await create(account, 'once@example.com');
    undo();
    expect(outcome).toMatchObject({ kind: 'committed', position: 0 });
    expect(await emails(account)).toEqual(['once@example.com']);
  });

  test('to every put of a draft: the client gets an error, and the draft is committed at most once', async () => {
    const account = givenAccount();
    lose(isDraft, Number.POSITIVE_INFINITY);
    const failed = create(account, 'failed@example.com', Date.now() + 300).catch((error) => error);
    const outcome = await failed;
    undo();
    await create(account, 'next@example.com');
    // The puts took effect, so the draft is committed if its process came to lead.
    const isCommitted = !(outcome instanceof Error);
    expect(await emails(account)).toEqual([
      ...(isCommitted ? ['failed@example.com'] : []),
      'next@example.com',
    ]);
  });

  test('to a put that arrives after its sender gave up has no effect', async () => {
    const account = givenAccount();
    const draft = aDraft('ghost@example.com');
    const ticket = newTicket(base32(draft.seed));
    expect(await withdrawDraft(ref(account), ticket)).toBeUndefined();
    await enqueue(ref(account), { ticket, draft, deadline: soon() });
    await commit(account);
    expect(await emails(account)).toEqual([]);
  });

  test('to a withdrawal does not change the outcome', async () => {
    const account = givenAccount();
    const ticket = await givenQueued(account, 'a@example.com');
    lose(({ name }) => name === 'UpdateItem', 1);
    expect(await withdrawDraft(ref(account), ticket)).toBeUndefined();
    undo();
    await commit(account);
    expect(await emails(account)).toEqual([]);
  });

  test('to a commit is found again at the drafts', async () => {
    const account = givenAccount();
    lose(({ name }) => name === 'TransactWriteItems', 2);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) => create(account, `n${i}@example.com`)),
    );
    undo();
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'committed' && outcome.position))).toEqual(
      new Set(Array(12).keys()),
    );
    expect(new Set(await emails(account)).size).toBe(12);
  });
});

test('tickets are in the order in which they were made, and can be removed', async () => {
  const account = givenAccount();
  const made: string[] = [];
  for (let i = 0; i < 30; i++) {
    made.push(await givenQueued(account, 'a@example.com'));
    await sleep(1);
  }
  expect(await tickets(account)).toEqual(made);
  await removeTickets(ref(account), made.slice(0, 28));
  expect(await tickets(account)).toEqual(made.slice(28));
});

describe('the next batch', () => {
  const waiting = (draft: ReturnType<typeof aDraft>) => ({ draft });
  const queued = (draft: ReturnType<typeof aDraft>) => ({ draft, ticket: 'ticket' });
  const large = () => ({
    draft: newDraft<Contact>({
      ...blankContact,
      note: 'x'.repeat(2000),
      custom_fields: { a: 'y'.repeat(40_000) },
    }),
  });

  test('takes as many as 100 actions allow: one moves the head, each takes one, one more for its external id, and one more from the queue', () => {
    const plain = Array.from({ length: 120 }, () => aDraft('a@example.com'));
    const named = Array.from({ length: 120 }, (_, i) => aDraft('a@example.com', `x${i}`));
    const lengthOf = (drafts: typeof plain, as: typeof queued | typeof waiting) =>
      packDrafts(drafts.map(as)).length;
    expect([lengthOf(plain, waiting), lengthOf(plain, queued)]).toEqual([99, 49]);
    expect([lengthOf(named, waiting), lengthOf(named, queued)]).toEqual([49, 33]);
  });

  test('stays below what a transaction may weigh, and takes one that is alone in any case', () => {
    const batch = packDrafts(Array.from({ length: 98 }, large));
    const bytes = batch.reduce((sum, { draft }) => sum + JSON.stringify(draft.content).length, 0);
    expect(bytes).toBeLessThan(transactionBytesMax);
    expect(bytes).toBeGreaterThan(0.9 * transactionBytesMax);
  });

  test('takes only the first of two with one external id, or of one request', () => {
    const [a, b, c] = [aDraft('1', 'same'), aDraft('2', 'same'), aDraft('3', 'other')].map(waiting);
    expect(packDrafts([a, b, c] as NonNullable<typeof a>[])).toEqual([a, c]);
    const once = { name: 'r', fingerprint: 'f' };
    const [d, e] = [newDraft(blankContact, { once }), newDraft(blankContact, { once })].map((draft) => ({
      draft,
    }));
    expect(packDrafts([d, e] as NonNullable<typeof d>[])).toEqual([d]);
  });
});
