import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Running } from '../../infra/local/running.ts';
import { connect } from '../../infra/ops/connection.ts';
import type { Contact } from '../../lib/contract/contacts.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { findByExternalId } from '../../lib/records/find.ts';
import { getRecord } from '../../lib/records/get.ts';
import { headKey, pointerKey, recordKey } from '../../lib/records/keys.ts';
import { positionOf } from '../../lib/records/position.ts';
import { updateRecord } from '../../lib/records/update.ts';
import { begin, run } from '../support/commands.ts';
import {
  aContact,
  anOrder,
  aRegistration,
  givenAccount,
  givenContacts,
  givenOrders,
  givenRegistrations,
  givenSubscription,
} from '../support/given.ts';
import { likeTheStack } from '../support/likeTheStack.ts';
import { Receiver } from '../support/pipeline/receiver.ts';
import { itemsOf, overwrite, restoredFrom } from '../support/restored.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../support/stackProcess.ts';
import { allContacts, everythingOf } from '../support/stored.ts';

// A stack of its own, whose tables are spoiled.
const folder = temporaryFolder();
const receiver = new Receiver();
let stack: StackProcess;
let running: Running;
let account: string;
beforeAll(async () => {
  stack = await startStackProcess(folder);
  ({ running } = stack);
  await connect({ data: folder });
  likeTheStack(running);
  await receiver.open();
});
afterAll(async () => {
  receiver.close();
  await stack.stop();
  removeFolder(folder);
});
beforeEach(() => {
  account = givenAccount();
});

const restore = (...args: string[]) => run('restore', [...args, '--data', folder]);
const counts = async (...args: string[]) => JSON.parse((await restore(...args, '--json')).stdout);
const totals = async (...args: string[]) => {
  const { same, brought_back, kept, passed_over, stays } = await counts(...args);
  return { same, brought_back, kept, passed_over, stays };
};

const deadline = () => Date.now() + 10_000;
const place = () => ({ account, type: 'contact' as const });
const remove = (TableName: string, { pk, sk }: Record<string, unknown>) =>
  dynamodb().send(new DeleteCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }));
const keyOf = ({ id }: Pick<Contact, 'id'>) => recordKey(place(), positionOf('con', id) as number);
const change = (id: string, content: Partial<Contact>) =>
  updateRecord(contacts, account, id, ({ record }) => ({ content: { ...record, ...content } }), deadline());
const lose = (record: Pick<Contact, 'id'>) => remove(running.recordsTable, keyOf(record));

async function until(done: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await done())) await sleep(50);
}

/** A subscription to everything, and what its receiver has heard: the type and the record's id and version, in their order. */
async function givenListener() {
  const path = `hook-${account}`;
  const { id, secret } = await givenSubscription(account, { url: receiver.url(path), payload: 'full' });
  receiver.trust(path, secret);
  const heard = () =>
    receiver.heardAt(path).map(({ body }) => {
      const { type, resource, data } = JSON.parse(body);
      return { type, id: resource.id, version: resource.version, data };
    });
  const heardOf = (record: string) =>
    heard()
      .filter((one) => one.id === record)
      .map(({ type, version }) => `${type} ${version}`);
  /** What comes now comes after all that there was to tell. */
  const heardAll = async () => {
    const [{ id: last }] = (await givenContacts(account, [aContact()])) as [Contact];
    await until(() => heardOf(last).length > 0);
    return heard();
  };
  return { id, path, heard, heardOf, heardAll };
}

describe('records', () => {
  test('copied away, spoiled and brought back are what they were, and receivers are told of each once', async () => {
    const { heardOf, heardAll } = await givenListener();
    const before = await givenContacts(
      account,
      Array.from({ length: 20 }, (_, i) => aContact({ note: `note ${i}` })),
    );
    await givenOrders(account, [anOrder(), anOrder()]);
    await givenRegistrations(account, [aRegistration()]);
    await heardAll();
    const asked = await everythingOf(account);
    const [imported, swapped, other, overwritten, lost, changedSince, pointless, , , last] =
      before as Contact[];
    if (!imported || !swapped || !other || !overwritten || !lost || !changedSince || !pointless || !last)
      throw new Error('there are too few contacts');
    const backup = await itemsOf(running.recordsTable);

    await change(imported.id, { note: 'a wrong import', tags: ['wrong'] });
    await change(swapped.id, { external_id: 'aside' });
    await change(other.id, { external_id: swapped.external_id });
    await change(swapped.id, { external_id: other.external_id });
    await change(changedSince.id, { note: 'a wrong import' });
    const stored = (await itemsOf(running.recordsTable, account)).find(({ id }) => id === overwritten.id);
    await overwrite(running.recordsTable, { ...stored, note: 'a fault', tags: 'no list' });
    await lose(lost);
    await remove(running.recordsTable, pointerKey(place(), pointless.external_id as string));
    await remove(running.recordsTable, headKey({ account, type: 'order' }));
    await heardAll();
    const from = await restoredFrom(running.recordsTable, backup);
    await change(changedSince.id, { note: 'by its owner' });
    const created = (await givenContacts(account, [aContact()]))[0] as Contact;

    const spoiled = await itemsOf(running.recordsTable);
    await restore('records', '--from', from, '--dry-run');
    expect(await itemsOf(running.recordsTable)).toEqual(spoiled);
    const { brought_back, kept, stays, kinds } = await counts(
      'records',
      '--from',
      from,
      '--account',
      account,
    );
    // The pair, what was imported, overwritten and lost; what lost its pointer; and the head of the orders.
    expect([brought_back, kept, stays]).toEqual([7, 2, 0]);
    expect(kinds.record).toMatchObject({ brought_back: 5, kept: 1, same: 18 });

    const asClientsSee = (contact: Contact) => ({ ...contact, version: 0, updated_at: '' });
    const after = await allContacts(account);
    expect(after.at(-1)).toEqual(created);
    const expected = before.map((contact) =>
      contact.id === changedSince.id ? { ...contact, note: 'by its owner' } : contact,
    );
    expect(after.slice(0, 20).map(asClientsSee)).toEqual(expected.map(asClientsSee));
    expect(after[4]).toEqual(lost);
    const externalIds = before.map(({ external_id }) => external_id as string);
    const found = new Map([
      ...(await findByExternalId(contacts, account, externalIds.slice(0, 10))),
      ...(await findByExternalId(contacts, account, externalIds.slice(10))),
    ]);
    expect(externalIds.map((one) => found.get(one)?.record.id)).toEqual(before.map(({ id }) => id));
    expect(await itemsOf(running.recordsTable, account)).not.toContainEqual(
      expect.objectContaining(pointerKey(place(), 'aside')),
    );
    expect((await everythingOf(account)).slice(1, 3)).toEqual(asked.slice(1, 3));

    const heard = await heardAll();
    const eachVersionOnce = new Set(heard.map(({ id, version }) => `${id} ${version}`));
    expect(heard).toHaveLength(eachVersionOnce.size);
    expect(heardOf(imported.id)).toEqual(['contact.created 1', 'contact.updated 2', 'contact.updated 3']);
    expect(heard.findLast(({ id }) => id === imported.id)?.data.note).toBe('note 0');
    expect(heardOf(swapped.id).at(-1)).toBe('contact.updated 4');
    expect(heardOf(overwritten.id)).toEqual(['contact.created 1', 'contact.updated 2']);
    expect([heardOf(lost.id), heardOf(pointless.id), heardOf(last.id)]).toEqual(
      Array.from({ length: 3 }, () => ['contact.created 1']),
    );

    const once = await itemsOf(running.recordsTable, account);
    expect(await totals('records', '--from', from, '--account', account)).toMatchObject({
      brought_back: 0,
      stays: 0,
    });
    expect(await itemsOf(running.recordsTable, account)).toEqual(once);
  });
});
