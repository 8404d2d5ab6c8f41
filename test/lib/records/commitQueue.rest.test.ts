import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transactionBytesMax } from '../../../lib/dynamodb/transact.ts';
import { base32 } from '../../../lib/ids.ts';
import { packDrafts } from '../../../lib/records/create/commit.ts';
import { newDraft } from '../../../lib/records/create/draft.ts';
import { createInGroup } from '../../../lib/records/create/follower.ts';
import { enqueue, newTicket, readQueue } from '../../../lib/records/create/queue.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount } from '../../support/data/given.ts';
import { inPool } from '../../support/data/pool.ts';
import { allContacts } from '../../support/data/stored.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';
import { type Call, onWire, success } from '../../support/faults/wire.ts';
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
  newDraft<Contact>({ ...contacts.blank, email, external_id });

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
});

describe('the next batch', () => {
  const waiting = (draft: ReturnType<typeof aDraft>) => ({ draft });
  const queued = (draft: ReturnType<typeof aDraft>) => ({ draft, ticket: 'ticket' });
  const large = () => ({
    draft: newDraft<Contact>({
      ...contacts.blank,
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
    const [d, e] = [newDraft(contacts.blank, { once }), newDraft(contacts.blank, { once })].map((draft) => ({
      draft,
    }));
    expect(packDrafts([d, e] as NonNullable<typeof d>[])).toEqual([d]);
  });
});
