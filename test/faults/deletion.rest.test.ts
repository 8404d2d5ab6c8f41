import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { handler } from '../../functions/deleteRecord.ts';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import type { Item } from '../../lib/dynamodb/item.ts';
import { readItem } from '../../lib/dynamodb/tableHandle.ts';
import { records, webhooks } from '../../lib/dynamodb/tables.ts';
import { transact, write } from '../../lib/dynamodb/transact.ts';
import { eventId } from '../../lib/feed/feedEntry.ts';
import { createRecord } from '../../lib/records/commitQueue/create.ts';
import { type Redaction, redactionKey } from '../../lib/records/deletion/redaction.ts';
import { readById } from '../../lib/records/get.ts';
import { listRecords } from '../../lib/records/listByOffset.ts';
import { positionKey } from '../../lib/records/position.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { byProduct } from '../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { contacts } from '../../lib/resources/contacts.ts';
import { commitmentOf, packEvents } from '../../lib/webhooks/events/commitment.ts';
import { readSubscription, readSubscriptions } from '../../lib/webhooks/model/subscriptions.ts';
import { redeliver } from '../../lib/webhooks/redelivery/redeliver.ts';
import { canaryContact, itemsWith } from '../support/data/canaries.ts';
import { givenAccount } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { type Fault, faultsOf, useFaultyDatabase } from '../support/faults/faults.ts';
import { onWire } from '../support/faults/wire.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { deliveriesTo, type GivenSubscriber } from '../support/pipeline/conservation.ts';
import { accepts } from '../support/pipeline/settings.ts';
import { handOver } from '../support/pipeline/stream.ts';
import { hourMs, minuteMs } from '../support/pipeline/time.ts';
import { usePipeline } from '../support/pipeline/usePipeline.ts';

// The deletion of a contact, at each of its calls with every fault, and beside a pipeline that is late.

const pipeline = usePipeline();
const database = useFaultyDatabase({ hangMs: 300 });

/** How long a deletion with a fault goes on. */
const shortMs = 1000;
/** A database that is far away. */
const slowMs = 4;

let undo = () => {};
afterEach(() => {
  undo();
  undo = () => {};
});

const deadline = () => Date.now() + 20_000;

interface Given {
  account: string;
  canary: string;
  id: string;
}

/** A contact with canaries in two versions, which was created with an Idempotency-Key. */
async function givenContact(account = givenAccount()): Promise<Given> {
  const canary = `person-${randomBytes(6).toString('hex')}`;
  const once = { name: `createContact#${randomBytes(32).toString('hex')}`, fingerprint: 'f' };
  const content = canaryContact(canary);
  const { body } = await createRecord(inAccount(contacts, account), content, {
    deadline: deadline(),
    origin: byProduct,
    once,
  });
  await change({ account, id: body.id }, `${canary} another note`);
  return { account, canary, id: body.id };
}

const change = ({ account, id }: Pick<Given, 'account' | 'id'>, note: string) =>
  updateRecord(inAccount(contacts, account), id, ({ record }) => ({ content: { ...record, note } }), {
    deadline: deadline(),
    origin: byProduct,
  });

const deleteRecord = asFunction('deleteRecord', handler);

const remove = ({ account, id }: Given, ms = 20_000) =>
  deleteRecord({ account, resource: 'contacts', deleted: { id } }, lambdaContext(ms));

/** A contact gets versions, each with an event that has its canary. */
async function givenPast({ account, canary, id }: Given, versions: number): Promise<void> {
  const resource = { type: 'contact', id } as const;
  let rest = Array.from({ length: versions - 2 }, (_, i) => ({
    id: eventId(account, { id, version: i + 3 }),
    type: 'contact.updated' as const,
    resource,
    origin: byProduct,
    changed_fields: [],
    body: JSON.stringify({ type: 'contact.updated', resource, data: canary }),
  }));
  while (rest.length > 0) {
    const to = await readSubscriptions(account);
    const batch = packEvents(rest.map((event) => ({ event, to })));
    await transact(commitmentOf(account, batch, new Date()).actions);
    rest = rest.slice(batch.length);
  }
  const { pk, sk } = (await readById({ account, type: 'contact' }, id)) as Item;
  await write(records.update({ pk: pk as string, sk: sk as string }, { version: versions }));
}

const received = ({ path }: GivenSubscriber, text: string) =>
  pipeline.receiver.requestsAt(path).filter(({ body }) => body.includes(text));

const bodiesAt = ({ path }: GivenSubscriber) =>
  pipeline.receiver.requestsAt(path).map(({ body }) => JSON.parse(body));

test('with any fault of a call of a deletion, and a second run after it, nothing of the contact is left, and its subscriber is told', async () => {
  pipeline.receiver.reply = () => 500;
  const givenSubscriber = async () => {
    const subscriber = await pipeline.subscribe();
    return { subscriber, contact: await givenContact(subscriber.account) };
  };
  const undisturbed = await givenSubscriber();
  await pipeline.fanOut();
  await pipeline.time.pass(1000);
  expect(await itemsWith(undisturbed.contact.canary)).toHaveLength(5);
  const { calls } = await database.run(() => remove(undisturbed.contact));
  const faults = faultsOf(calls);
  const given: Awaited<ReturnType<typeof givenSubscriber>>[] = [];
  for (const _ of faults) given.push(await givenSubscriber());
  await pipeline.fanOut();
  await pipeline.time.pass(1000);
  // The clock stands still otherwise, and no deadline would pass.
  pipeline.time.reset();
  await inPool(6, [...faults.entries()], async ([i, fault]: [number, Fault]) => {
    const { contact } = given[i] as (typeof given)[0];
    await database.runUntilKilled(() => remove(contact, shortMs), fault).catch(() => {});
    const { version } = await remove(contact);
    expect(version, fault.name).toBe(3);
  });
  pipeline.receiver.reply = () => 204;
  await pipeline.fanOut();
  const before = pipeline.receiver.received.length;
  await pipeline.time.pass(hourMs);
  const later = pipeline.receiver.received.slice(before).map(({ body }) => body);
  expect(later.filter((body) => body.includes('person-'))).toEqual([]);
  expect(await itemsWith('person-')).toEqual([]);
  // The third delivery is that of the deletion.
  const answers = await itemsWith('a canary of the receiver');
  expect(answers.filter((key) => !key.endsWith(positionKey(2)))).toEqual([]);
  for (const { subscriber, contact } of [undisturbed, ...given]) {
    expect(await pipeline.check(subscriber)).toEqual({ succeeded: 3 });
    const last = bodiesAt(subscriber).filter(({ resource }) => resource.version === 3);
    expect(new Set(last.map(({ id }) => id)).size).toBe(1);
    expect(last[0]).toMatchObject({
      type: 'contact.deleted',
      previous: {},
      data: { id: contact.id, merged_into: null },
    });
    expect(await listRecords(inAccount(contacts, contact.account), { limit: 1, offset: 0 })).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
  }
});

test('a change of one contact that was deleted does not hold up the other changes of a batch', async () => {
  const subscriber = await pipeline.subscribe();
  const [contact, other] = [await givenContact(subscriber.account), await givenContact(subscriber.account)];
  await remove(contact);
  expect(await handOver((await pipeline.changes()).get(contact.account) as Change[])).toEqual([]);
  await pipeline.time.pass(minuteMs);
  expect(received(subscriber, contact.canary)).toEqual([]);
  expect(received(subscriber, other.canary)).toHaveLength(2);
});

test('what receivers answered is not in the kept answer of a redelivery, and its repetition shows it', async () => {
  pipeline.receiver.reply = () => 500;
  const subscriber = await pipeline.subscribe({ event_types: ['contact.created'] });
  await accepts(subscriber);
  const contact = await givenContact(subscriber.account);
  await pipeline.fanOut();
  await pipeline.time.pass(1000);
  const [delivery] = await deliveriesTo(subscriber);
  const once = { name: `redeliverWebhook#${randomBytes(32).toString('hex')}`, fingerprint: 'f' };
  const again = async () =>
    (
      await redeliver(contact.account, subscriber.id, delivery?.id as string, {
        access: { kind: 'full' },
        deadline: deadline(),
        once,
      })
    ).body;
  const first = await again();
  expect(first.attempts.at(0)?.response_excerpt).toBe('a canary of the receiver');
  expect(await again()).toEqual(first);
  await remove(contact);
  await pipeline.fanOut();
  expect((await again()).attempts.at(0)?.response_excerpt).toBeNull();
  expect(
    (await itemsWith('a canary of the receiver')).filter((key) => key.startsWith(contact.account)),
  ).toEqual([]);
});

test('the past of a contact with 1,000 versions and 3 subscriptions is redacted in turns of real time, and its subscribers are told', async () => {
  const subscribers: GivenSubscriber[] = [];
  const account = givenAccount();
  // What is pending can still get a response, so all of it has to be written.
  for (let nth = 0; nth < 3; nth++) subscribers.push(await pipeline.subscribe({ status: 'paused' }, account));
  const contact = await givenContact(account);
  await pipeline.fanOut();
  await givenPast(contact, 1000);
  undo = onWire(async (_, send) => {
    await sleep(slowMs);
    return send();
  });
  await remove(contact);
  pipeline.time.reset();
  expect(await handOver((await pipeline.changes()).get(account) as Change[])).toEqual([]);
  const redaction = () => readItem<Redaction>(webhooks, redactionKey(account, contact.id));
  expect(await redaction()).toMatchObject({ left: 1000, turns: 0 });
  expect(await pipeline.deferred.handleAll()).toBe(0);
  undo();
  const { left, stuck, turns } = (await redaction()) as Redaction;
  expect({ left, stuck }).toEqual({ left: 0, stuck: [] });
  expect(turns).toBeGreaterThan(3);
  for (const { id } of subscribers) expect((await readSubscription(account, id)).logged.count).toBe(1001);
  expect(await itemsWith(contact.canary)).toEqual([]);
});
