import { beforeEach, describe, expect, test } from 'vitest';
import { handler as ingestRecords } from '../functions/pipeline/ingestRecords.ts';
import { pause } from '../lib/dynamodb/conflicts.ts';
import { noteContention } from '../lib/records/commitQueue/queue.ts';
import {
  batchUpsertContacts,
  type Contact,
  createContact,
  getContact,
  listContacts,
  updateContact,
  upsertContact,
} from '../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from './support/data/given.ts';
import { allContacts } from './support/data/stored.ts';
import { call } from './support/http/api.ts';
import { lambdaContext } from './support/http/events.ts';
import { asFunction } from './support/permissions/asFunction.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});
/** Longer than a request has, and than any machine takes, since here they all share one processor. */
const sharedMs = 3_600_000;

const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);
const read = async (contactId: string) => (await call(getContact, { key, params: { contactId } })).body;

/** Sends a request as a client does: again while the API has no time for it. Each names its contact, so nothing is there twice. */
async function answered<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  let answer = await send();
  for (let tries = 1; answer.status >= 500 && tries < 10; tries++) answer = await send();
  return answer;
}

describe('batches of contacts', () => {
  /** Sends a batch as a client does: again, until each contact is stored. @returns the first final result of each */
  async function batch(contacts: object[]): Promise<BatchReply['results']> {
    const { results } = (await answered(() => call(batchUpsertContacts, { key, body: { contacts } }))).body;
    const late = contacts.filter((_, i) => results[i]?.status === 504);
    const again = late.length > 0 ? await batch(late) : [];
    return results.map((one) => (one.status === 504 ? (again.shift() as (typeof results)[number]) : one));
  }
  const entries = (from: number, count: number, note: string) =>
    Array.from({ length: count }, (_, i) => ({ external_id: `n${from + i}`, note }));

  /** Each name is there once, and every acknowledged id is its record. */
  async function expectOnce(acknowledged: { external_id: string; id: string | undefined }[]) {
    const all = await allContacts(account);
    expect(new Set(all.map(({ external_id }) => external_id)).size).toBe(all.length);
    const ids = new Map(all.map(({ external_id, id }) => [external_id, id]));
    for (const { external_id, id } of acknowledged) expect(ids.get(external_id), external_id).toBe(id);
    return all;
  }

  test('beside POST, PUT and an import of the same and of other contacts: none is lost, none is there twice', async () => {
    const imported = givenContacts(
      account,
      entries(60, 80, 'imported').map((one) => aContact(one)),
    );
    const [first, second, posts, puts] = await Promise.all([
      batch(entries(0, 60, 'first')),
      batch(entries(30, 60, 'second')),
      Promise.all(
        names(10).map((name, i) =>
          answered(() =>
            call(createContact, { key, body: { external_id: i % 2 === 0 ? name : `own-${i}` } }),
          ),
        ),
      ),
      Promise.all(
        names(10).map((externalId) =>
          answered(() => call(upsertContact, { key, params: { externalId }, body: { note: 'put' } })),
        ),
      ),
    ]);
    const others = await imported;
    // The external ids of POST may be taken by then.
    expect(posts.every(({ status }) => status === 201 || status === 400)).toBe(true);
    expect(puts.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const all = await expectOnce([
      ...first.map(({ id }, i) => ({ external_id: `n${i}`, id })),
      ...second.map(({ id }, i) => ({ external_id: `n${30 + i}`, id })),
      ...puts.map(({ body }, i) => ({ external_id: `n${i}`, id: body.id })),
      ...posts.flatMap(({ status, body }) =>
        status === 201 ? [{ external_id: body.external_id as string, id: body.id }] : [],
      ),
      ...others.map(({ external_id, id }) => ({ external_id: external_id as string, id })),
    ]);
    expect(all).toHaveLength(140 + 5);
  });
});

test('the inbox beside those who create in the same account waits for its turn, and stores everything', async () => {
  noteContention({ account, type: 'contact' });
  const ingest = asFunction('ingestRecords', ingestRecords);
  const Records = names(20).map((name) => ({
    messageId: name,
    body: JSON.stringify({ account, resource: 'contacts', record: aContact({ external_id: name }) }),
    attributes: { ApproximateReceiveCount: '1' },
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:RecordsInbox',
  }));
  const create = () => call(createContact, { key, body: { email: 'other@example.com' } });
  await Promise.all([ingest({ Records } as never, lambdaContext(sharedMs)), ...names(10).map(create)]);
  expect(await allContacts(account)).toHaveLength(30);
});

interface BatchReply {
  results: { status: number; id?: string | undefined }[];
}

/** How many changes each of ten writers makes. */
const changesOfEach = 10;

test('conditional changes by ten writers at once: each counts, none is lost', async () => {
  const [contact] = (await givenContacts(account, [aContact({ custom_fields: { count: 0 } })])) as [Contact];
  /** Adds one, as a client does that wants no change of another to be lost. @returns false when somebody was faster */
  async function add(): Promise<boolean> {
    const { version, custom_fields } = await read(contact.id);
    const { status } = await call(updateContact, {
      key,
      params: { contactId: contact.id },
      headers: { 'If-Match': `"${version}"` },
      body: { custom_fields: { count: Number(custom_fields.count) + 1 } },
    });
    expect([200, 412]).toContain(status);
    return status === 200;
  }
  const writer = async () => {
    for (let done = 0; done < changesOfEach; )
      if (await add()) done += 1;
      // Who lost comes back a moment later, as clients do; otherwise five of six requests would have no effect.
      else await pause(100);
  };
  await Promise.all(Array.from({ length: 10 }, writer));
  expect(await read(contact.id)).toMatchObject({
    version: 10 * changesOfEach + 1,
    custom_fields: { count: 10 * changesOfEach },
  });
});

test.each([7, 25, 100])(
  'paging with limit %s while others create meets what was there when it began exactly once, and nothing twice',
  async (limit) => {
    const before = await givenContacts(
      account,
      Array.from({ length: 330 }, () => aContact()),
    );
    let walking = true;
    const writer = async () => {
      while (walking) await call(createContact, { key, body: { email: 'later@example.com' } });
    };
    const writers = Array.from({ length: 4 }, writer);
    const met: { id: string }[] = [];
    let total = 0;
    do {
      const { body } = await call(listContacts, { key, query: { limit, offset: met.length } });
      expect(body.pagination.total).toBeGreaterThanOrEqual(total);
      total = body.pagination.total;
      met.push(...body.data);
      if (met.length > 400) walking = false;
    } while (met.length < total && met.length < 1000);
    walking = false;
    await Promise.all(writers);
    expect(met.slice(0, before.length)).toEqual(before);
    expect(new Set(met.map(({ id }) => id)).size).toBe(met.length);
    expect(met).toEqual((await allContacts(account)).slice(0, met.length));
  },
);
