import { beforeEach, describe, expect, test, vi } from 'vitest';
import { collectionAt } from '../../../lib/inbox/inboxResources.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { readMessage } from '../../../lib/inbox/readMessage.ts';
import { storeRecords } from '../../../lib/inbox/storeMessages.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { readById } from '../../../lib/records/get.ts';
import type { UpsertEntry } from '../../../lib/records/mergeMessage.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { type ResourceType, resources, resourceTypes } from '../../../lib/resources/index.ts';
import { givenAccount, inAnHour } from '../../support/data/given.ts';
import { aRecord } from '../../support/data/records.ts';
import { everythingOf } from '../../support/data/stored.ts';
import { onWire } from '../../support/faults/wire.ts';

let account: string;
let count = 0;
beforeEach(() => {
  account = givenAccount();
});

type Type = ResourceType;
/** A fork may have removed them. */
const registration = 'event_registration' as string as Type;

/** A turn of the work on a message takes some seconds. On a busy machine some come again. */
const turnsMax = 10;

/** Hands messages about one resource to the inbox, each by itself, until it is done. */
async function tell(type: Type, ...said: object[]): Promise<void> {
  for (const one of said) {
    const message = {
      id: `m${++count}`,
      body: JSON.stringify({ account, resource: resources[type].path, ...one }),
    };
    let left = await ingest([message], Number.POSITIVE_INFINITY);
    for (let turn = 1; left.length > 0 && turn < turnsMax; turn++)
      left = await ingest([message], Number.POSITIVE_INFINITY);
    expect(left).toEqual([]);
  }
}

let revision = 0;
const state = (type: Type, source_id: string, more: object = {}) =>
  tell(type, {
    record: {
      ...(type === 'contact' ? {} : aRecord(type, { contact_id: undefined, order_id: undefined })),
      ...{ external_id: null, source_id, revision: ++revision },
      ...more,
    },
  });
const merge = (type: Type, source_id: string, into: string, more: object = {}) =>
  tell(type, { deleted: { source_id, revision: ++revision, merged_into: { source_id: into }, ...more } });

const idsOf = async (type: Type): Promise<string[]> => {
  const lists = (await everythingOf(account)) as { data: { id: string }[] }[];
  return lists
    .flatMap(({ data }) => data ?? [])
    .map(({ id }) => id)
    .filter((id) => id.startsWith(resources[type].prefix));
};
const only = async (type: Type) => (await idsOf(type))[0] as string;
const linksOf = async (type: Type) =>
  Promise.all(
    (await idsOf(type)).map(async (id) => {
      const { contact_id = null, order_id = null } = (await readById({ account, type }, id)) ?? {};
      return { contact_id, order_id };
    }),
  );

const hasRegistrations = resourceTypes.includes(registration);

describe.runIf(hasRegistrations)('a registration names its order by the id of the product', () => {
  test('that is here, and that comes later', async () => {
    await state('order', 'o-1');
    await state(registration, 'r-1', { order_source_id: 'o-1' });
    const first = await only('order');
    expect(await linksOf(registration)).toMatchObject([{ order_id: first }]);
    await state(registration, 'r-1', { order_source_id: 'o-2', contact_source_id: 'c-1' });
    expect(await linksOf(registration)).toEqual([{ order_id: null, contact_id: null }]);
    await state('order', 'o-2');
    await state('contact', 'c-1');
    const [, second] = await idsOf('order');
    expect(await linksOf(registration)).toEqual([{ order_id: second, contact_id: await only('contact') }]);
    await state(registration, 'r-1', { order_source_id: null, left_out: 'keep' });
    expect(await linksOf(registration)).toMatchObject([
      { order_id: null, contact_id: await only('contact') },
    ]);
  });
});

/** Lets the clock go on with each update of an order, and with nothing else. @param onCall called with each read or update of one */
function slowUpdates(onCall: (name: string, key: string) => void = () => {}): () => void {
  let clock = 0;
  const begun = Date.now();
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => begun + clock);
  const undo = onWire(({ name, input }, send) => {
    const key = JSON.stringify(input.Key ?? '');
    if (!key.includes('#order#')) return send();
    if (name === 'UpdateItem') clock += 200;
    onCall(name, key);
    return send();
  });
  return () => {
    undo();
    spy.mockRestore();
  };
}

test('an import has no turns: all that names a row is told of it at once', async () => {
  for (let i = 0; i < 30; i++) await state('order', `o-${i}`, { contact_source_id: 'a' });
  const body = JSON.stringify({ account, resource: 'contacts', record: { source_id: 'a' } });
  const { entry } = readMessage(body) as { entry: UpsertEntry<Stored> };
  const undo = slowUpdates();
  await storeRecords(inAccount(collectionAt('contacts'), account), [entry], Number.POSITIVE_INFINITY);
  undo();
  expect(await linksOf('order')).toMatchObject(Array(30).fill({ contact_id: await only('contact') }));
});

describe('after a merge, what named the record that is gone names the one that is left', () => {
  /** A contact of a client. */
  const given = async (): Promise<string> => {
    const options = { deadline: inAnHour(), origin: byKey('key_1') };
    return (await createRecord(inAccount(contacts, account), { ...contacts.blank }, options)).body.id;
  };

  test.runIf(hasRegistrations)('by the id of the product, before and after it, through chains', async () => {
    for (const name of ['a', 'b', 'c']) await state('contact', name);
    const [, , last] = await idsOf('contact');
    await state('order', 'before', { contact_source_id: 'a' });
    await state(registration, 'seat', { contact_source_id: 'a' });
    await merge('contact', 'a', 'b');
    await state('order', 'between', { contact_source_id: 'a' });
    await merge('contact', 'b', 'c');
    await state('order', 'after', { contact_source_id: 'a' });
    await state('order', 'before', { contact_source_id: 'a', note: 'sent again' });
    expect(await linksOf('order')).toMatchObject(Array(3).fill({ contact_id: last }));
    expect(await linksOf(registration)).toMatchObject([{ contact_id: last }]);
  });

  test('by the id of the record alone, through chains', async () => {
    const [first, second] = [await given(), await given()];
    await state('contact', 'c');
    const [, , last] = await idsOf('contact');
    await state('order', 'before', { contact_id: first });
    const mergeById = (id: string, merged_into: object) => tell('contact', { deleted: { id, merged_into } });
    await mergeById(first, { id: second });
    expect(await linksOf('order')).toMatchObject([{ contact_id: second }]);
    await mergeById(second, { source_id: 'c' });
    await state('order', 'after', { contact_id: first });
    expect(await linksOf('order')).toMatchObject(Array(2).fill({ contact_id: last }));
  });

  test('by the id of the product, when the deletion names the record by its id', async () => {
    for (const name of ['a', 'b']) await state('contact', name);
    const [gone, left] = await idsOf('contact');
    await state('order', 'o', { contact_source_id: 'a' });
    await tell('contact', { deleted: { id: gone, merged_into: { id: left } } });
    expect(await linksOf('order')).toMatchObject([{ contact_id: left }]);
  });

  test('through more merges than anybody makes', async () => {
    const names = Array.from({ length: 13 }, (_, i) => `row ${i}`);
    for (const name of names) await state('contact', name);
    await state('order', 'o', { contact_source_id: 'row 0' });
    for (const [i, into] of names.slice(1).entries()) await merge('contact', `row ${i}`, into);
    expect(await linksOf('order')).toMatchObject([{ contact_id: await only('contact') }]);
  });

  test('unless a client has named another one: neither the row nor a merge of the first takes that back', async () => {
    for (const name of ['a', 'b', 'c']) await state('contact', name);
    const [, second] = await idsOf('contact');
    await state('order', 'o', { contact_source_id: 'a' });
    const order = inAccount(collectionAt('orders'), account);
    await updateRecord(order, await only('order'), () => ({ content: { contact_id: second } as never }), {
      ...{ deadline: inAnHour(), origin: byKey('key_1') },
    });
    await state('order', 'o', { contact_source_id: 'a', known_version: 1 });
    expect(await linksOf('order')).toMatchObject([{ contact_id: second }]);
    await merge('contact', 'a', 'c');
    expect(await linksOf('order')).toMatchObject([{ contact_id: second }]);
  });

  test.runIf(hasRegistrations)('of an order: its registrations', async () => {
    for (const name of ['a', 'b']) await state('order', name);
    const [, left] = await idsOf('order');
    await state(registration, 'seat', { order_source_id: 'a' });
    await merge('order', 'a', 'b');
    expect(await linksOf(registration)).toMatchObject([{ order_id: left }]);
  });

  test('unless it names another by then, or the record is deleted without one in its place', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await state('contact', name);
    const [, , third, fourth] = await idsOf('contact');
    await state('order', 'o', { contact_source_id: 'a' });
    await state('order', 'o', { contact_source_id: 'c' });
    await state('order', 'p', { contact_source_id: 'd' });
    await merge('contact', 'a', 'b');
    await tell('contact', { deleted: { source_id: 'd', revision: ++revision } });
    expect(await linksOf('order')).toMatchObject([{ contact_id: third }, { contact_id: fourth }]);
  });

  test('however many they are: a turn has its time, and the same message goes on where it ended, and reads none twice', async () => {
    const many = 60;
    for (const name of ['a', 'b']) await state('contact', name);
    const [, left] = await idsOf('contact');
    for (let i = 0; i < many; i++) await state('order', `o-${i}`, { contact_source_id: 'a' });
    let updates = 0;
    const read = new Map<string, number>();
    const undo = slowUpdates((name, key) => {
      if (name === 'UpdateItem') updates += 1;
      else read.set(key, (read.get(key) ?? 0) + 1);
    });
    const deleted = { source_id: 'a', revision: ++revision, merged_into: { source_id: 'b' } };
    const body = JSON.stringify({ account, resource: 'contacts', deleted });
    const turns: number[] = [];
    for (let isLeft = true; isLeft; turns.push(updates))
      isLeft = (await ingest([{ id: 'merge', body }], Number.POSITIVE_INFINITY)).length > 0;
    undo();
    expect(turns).toEqual([25, 50, many]);
    // Once by the note, and once before the update.
    expect([...read.values()]).toEqual(Array(many).fill(2));
    expect(await linksOf('order')).toMatchObject(Array(many).fill({ contact_id: left }));
  });
});
