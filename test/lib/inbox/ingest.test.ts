import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { outboxMessage } from '../../../lib/contract/outboxContract.ts';
import { env } from '../../../lib/env.ts';
import { type InboxMessage, ingest } from '../../../lib/inbox/ingest.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { aContact, givenAccount } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { aRecord } from '../../support/data/records.ts';
import { allContacts, everythingOf } from '../../support/data/stored.ts';
import { failure, onWire } from '../../support/faults/wire.ts';
import { withLog } from '../../support/run/logLines.ts';

let account: string;
beforeEach(() => {
  account = givenAccount();
});
let undo = () => {};
afterEach(() => undo());

let count = 0;
const message = (body: unknown): InboxMessage => ({
  id: `m${++count}`,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const states = (record: object, resource = 'contacts', more: object = {}) =>
  message({ account, resource, record, ...more });

/** What was sent to the outbox. */
const told = vi.hoisted((): object[] => []);
vi.mock('../../../lib/outbox/sendMessages.ts', () => ({
  sendMessages: async (messages: object[], done: (taken: object[]) => void) => {
    told.push(...messages);
    done(messages);
  },
}));

// On a busy machine, the messages of an account take longer than the share of its batch.
vi.mock('../../../lib/concurrency.ts', async (original) => ({
  ...(await original<object>()),
  atMost: (_ms: number, work: Promise<unknown>) => work,
}));

async function take(...messages: InboxMessage[]) {
  process.env[env.recordsOutbox] ??= 'of the product';
  told.length = 0;
  return { ...(await withLog(() => ingest(messages, Number.POSITIVE_INFINITY))), told: [...told] };
}

test('messages of every resource and of several accounts in one batch are stored', async () => {
  const other = givenAccount();
  const count = resourceTypes.length;
  const { result, lines } = await take(
    ...resourceTypes.map((type) => states(aRecord(type), resources[type].path)),
    message({ account: other, resource: 'contacts', record: aContact() }),
  );
  expect(result).toEqual([]);
  expect((await everythingOf(account)).slice(0, count)).toMatchObject(
    Array(count).fill({ pagination: { total: 1 } }),
  );
  expect(await allContacts(other)).toHaveLength(1);
  const news = { message: 'an account has its first record of a resource', first_records: 1 };
  expect(lines).toHaveLength(count + 2);
  expect(lines).toEqual(
    expect.arrayContaining([
      ...resourceTypes.map((type) =>
        expect.objectContaining({ ...news, account, resource: resources[type].path }),
      ),
      expect.objectContaining({ ...news, account: other, resource: 'contacts' }),
      expect.objectContaining({ message: 'ingested', messages: count + 1, created: count + 1, failed: 0 }),
    ]),
  );
  expect(JSON.stringify(lines)).toContain('"Name":"first_records"');
  const { lines: later } = await take(states(aContact()));
  expect(later).toEqual([expect.objectContaining({ message: 'ingested', created: 1 })]);
});

describe('a record with a field that cannot be read', () => {
  const bad = {
    email: 'canary',
    phone: 5,
    address: { city: 'Bonn', country: 'Deutschland' },
    custom_fields: { a: 1, big: 2 ** 53 },
    tags: [{}],
    'canary@example.com': 1,
  };

  test('is stored without it, what was stored stays, and the product is told', async () => {
    const whole = {
      email: 'ada@example.com',
      phone: '1',
      address: { city: 'Köln', country: 'DE' },
      custom_fields: { big: 1, gone: 1 },
      tags: ['vip'],
    };
    await take(states(aContact({ external_id: 'one', source_id: 7, ...whole })));
    const message = states({ external_id: 'one', source_id: 7, revision: 3, first_name: 'Ada', ...bad });
    const { result, lines, text, told } = await take(message);
    expect(result).toEqual([]);
    expect(await allContacts(account)).toMatchObject([
      {
        first_name: 'Ada',
        email: whole.email,
        phone: '1',
        address: { city: 'Bonn', country: 'DE' },
        custom_fields: { a: 1, big: 1 },
        tags: ['vip'],
      },
    ]);
    expect((await allContacts(account))[0]?.custom_fields).toEqual({ a: 1, big: 1 });
    expect(lines).toContainEqual(expect.objectContaining({ updated: 1, incomplete: 1, refused: 0 }));
    expect(lines).toContainEqual(expect.objectContaining({ refusals: 1 }));
    expect(text).not.toContain('canary');
    const problems = ['email', 'phone', 'address.country', 'tags[0]', 'custom_fields."…"', '"…"'];
    expect(told).toEqual([
      {
        account,
        id: message.id,
        type: 'refusal',
        timestamp: expect.any(String),
        resource: 'contacts',
        source_id: '7',
        external_id: 'one',
        revision: 3,
        reason: 'invalid',
        deleted_at: null,
        deleted_id: null,
        problems: problems.map((name) => expect.stringContaining(`record.${name} `)),
        stored: true,
      },
    ]);
    for (const one of told) expect(outboxMessage().parse(one)).toEqual(one);
  });

  test('is refused when it cannot be without it, and the product is told', async () => {
    const message = states(anOrder({ number: null, note: 5 }), 'orders');
    const { result, told } = await take(message);
    expect(result).toEqual([message.id]);
    expect(told).toMatchObject([{ id: message.id, resource: 'orders', stored: false }]);
    expect(await take(states({ external_id: 'x', revision: '3' }))).toMatchObject({
      told: [{ stored: false }],
    });
  });
});

describe('trouble with the database', () => {
  test('that is temporary makes only the affected messages come again', async () => {
    const other = givenAccount();
    undo = onWire((call, send) =>
      JSON.stringify(call.input).includes(other)
        ? Promise.resolve(failure('ProvisionedThroughputExceededException'))
        : send(),
    );
    const hit = message({ account: other, resource: 'contacts', record: aContact() });
    const { result } = await take(states(aContact()), hit);
    undo();
    expect(result).toEqual([hit.id]);
    expect(await allContacts(account)).toHaveLength(1);
    expect((await take(hit)).result).toEqual([]);
    expect(await allContacts(other)).toHaveLength(1);
  });

  test('that one message causes does not stop the others', async () => {
    undo = onWire((call, send) =>
      call.name === 'TransactWriteItems' && JSON.stringify(call.input).includes('poison')
        ? Promise.resolve(failure('ValidationException'))
        : send(),
    );
    const poison = states({ external_id: 'poison' });
    const { result } = await take(states(aContact()), poison, states(aContact()));
    undo();
    expect(result).toEqual([poison.id]);
    expect(await allContacts(account)).toHaveLength(2);
  });
});

describe('when the time is up', () => {
  test('no message is begun, and all that were not reached come again', async () => {
    const messages = [states(aContact()), states(aContact())];
    const { result, lines } = await withLog(() => ingest(messages, Date.now() - 1));
    expect(result).toEqual(messages.map(({ id }) => id));
    expect(lines).toEqual([expect.objectContaining({ unreached: 2, created: 0, refused: 0 })]);
    expect(await allContacts(account)).toEqual([]);
  });

  test('begun messages are stored, and the others come again', async () => {
    const deadline = Date.now() + 60_000;
    const sent = Array.from({ length: 230 }, () => states(aContact()));
    undo = onWire(async (call, send) => {
      const answer = await send();
      if (call.name === 'TransactWriteItems') vi.setSystemTime(deadline);
      return answer;
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    const { result } = await withLog(() => ingest(sent, deadline)).finally(() => vi.useRealTimers());
    undo();
    const stored = await allContacts(account);
    expect(stored.length).toBeGreaterThan(0);
    expect(result.length).toBeGreaterThan(0);
    expect(stored.length + result.length).toBe(sent.length);
    expect(result).toEqual(sent.slice(stored.length).map(({ id }) => id));
  });
});
