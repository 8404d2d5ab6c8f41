import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { env } from '../../lib/env.ts';
import { createRecord } from '../../lib/records/commitQueue/create.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { byKey } from '../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { contacts } from '../../lib/resources/contacts.ts';
import { readSubscription } from '../../lib/webhooks/model/subscriptions.ts';
import { aContact, deleted, givenAccount, givenContacts } from '../support/data/given.ts';
import { anOrder, givenOrders } from '../support/data/orders.ts';
import { meetEachFault } from '../support/faults/everyFault.ts';
import { useFaultyDatabase } from '../support/faults/faults.ts';
import { failure, onWire } from '../support/faults/wire.ts';
import { OutboxReader } from '../support/pipeline/outboxReader.ts';
import { fanOut, handOver, shortMs } from '../support/pipeline/stream.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// At each call that fanOutChanges makes for the outbox, every fault; then the stream hands its batch over again, as it does on AWS.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });
const origin = byKey('key_2h6w8r1v3z5b7k9m4n0cqtxj');

let reader: OutboxReader;
let undo = () => {};
beforeAll(() => {
  reader = new OutboxReader(pipeline.outboxUrl());
});
beforeEach(() => {
  process.env[env.recordsOutbox] = pipeline.outboxUrl();
  process.env[env.outboxChanges] = 'clients';
});
afterEach(() => {
  undo();
  undo = () => {};
  delete process.env[env.recordsOutbox];
  delete process.env[env.outboxChanges];
});

const deadline = () => Date.now() + 20_000;

/** An account in which a client created a contact and changed it, your app sent two records, and an operator deleted one of these. */
async function givenChanges(account = givenAccount()): Promise<{ account: string; changes: Change[] }> {
  const { body } = await createRecord(
    inAccount(contacts, account),
    { ...contacts.blank, email: 'a@example.com' },
    { deadline: deadline(), origin },
  );
  await updateRecord(
    inAccount(contacts, account),
    body.id,
    ({ record }) => ({ content: { ...record, note: 'b' } }),
    {
      deadline: deadline(),
      origin,
    },
  );
  const [sent] = await givenContacts(account, [aContact()]);
  await givenOrders(account, [anOrder()]);
  await deleted(account, sent?.id as string);
  const changes = (await pipeline.changes()).get(account) ?? [];
  expect(changes).toHaveLength(5);
  return { account, changes };
}

const ofClients = ['contact.created 1 api', 'contact.deleted 2 operator', 'contact.updated 2 api'];

/** What the outbox has had of an account, each once. */
const toldOf = async (account: string): Promise<string[]> => {
  const messages = await reader.of(account);
  const told = messages.map(({ type, resource, origin: by }) => `${type} ${resource.version} ${by?.kind}`);
  return [...new Set(told)].sort();
};

test('with any fault of a call of fanOutChanges, no change of a client is lost', async () => {
  const { calls, all } = await meetEachFault(database, {
    given: async (count) => {
      const given: Awaited<ReturnType<typeof givenChanges>>[] = [];
      while (given.length < count) given.push(await givenChanges());
      return given;
    },
    invoke: ({ changes }, ms) => fanOut(changes, ms),
    after: async ({ changes }, _, label) => expect(await handOver(changes), label).toEqual([]),
  });
  expect([...calls].sort()).toEqual(['BatchGetItem', 'Query', 'SendMessage', 'SendMessageBatch']);
  for (const { account } of all) expect(await toldOf(account)).toEqual(ofClients);
});

test('without the setting, not one call is made', async () => {
  delete process.env[env.recordsOutbox];
  const { account, changes } = await givenChanges();
  // The subscriptions, and the redaction of the deleted contact, as before.
  expect((await database.run(() => fanOut(changes))).calls).toEqual(['Query', 'SendMessage']);
  expect(await toldOf(account)).toEqual([]);
});

test('an outbox that is out of reach holds up no webhook, and webhooks that fail hold up no message', async () => {
  const { id, account } = await pipeline.subscribe({ event_types: ['contact.*'] });
  const { changes } = await givenChanges(account);
  undo = onWire((call, send) =>
    call.input.QueueUrl === pipeline.outboxUrl() ? Promise.resolve(failure('QueueDoesNotExist')) : send(),
  );
  const failed = await fanOut(changes);
  undo();
  const ofClient = changes.filter(({ dynamodb }) => dynamodb.NewImage?.origin?.M?.kind?.S !== 'product');
  expect(failed.sort()).toEqual(ofClient.map(({ dynamodb }) => dynamodb.SequenceNumber).sort());
  // On a slow machine the account is out of time, and its changes are deferred.
  expect(await pipeline.deferred.handleAll()).toBe(0);
  // Two contacts, a change and a deletion.
  expect((await readSubscription(account, id)).logged.count).toBe(4);
  expect(await toldOf(account)).toEqual([]);

  undo = onWire((call, send) =>
    call.name === 'Query' ? Promise.resolve(failure('ResourceNotFoundException')) : send(),
  );
  await fanOut(changes, shortMs);
  undo();
  expect(await toldOf(account)).toEqual(ofClients);
});

test('of a record that was deleted, the outbox gets the deletion alone, however late the other changes come', async () => {
  const { account, changes } = await givenChanges();
  await deleted(account, changes[0]?.dynamodb.NewImage?.id?.S as string);
  expect(await fanOut(changes)).toEqual([]);
  expect(await toldOf(account)).toEqual(['contact.deleted 2 operator']);
  await pipeline.fanOut();
  expect(await toldOf(account)).toEqual(['contact.deleted 2 operator', 'contact.deleted 3 operator']);
});

test('a change that cannot be read is handed over again until it is kept, and the others are sent', async () => {
  const { account, changes } = await givenChanges();
  const [first] = changes as [Change];
  const image = { ...first.dynamodb.NewImage, note: { X: 'no value' }, version: { N: '77' } };
  const broken = {
    ...first,
    dynamodb: { ...first.dynamodb, NewImage: image, SequenceNumber: '999' },
  } as unknown as Change;
  expect(await fanOut([broken, ...changes])).toEqual(['999']);
  expect(await toldOf(account)).toEqual(ofClients);
});
