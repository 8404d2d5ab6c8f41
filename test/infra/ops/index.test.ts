import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { readItem } from '../../../lib/dynamodb/tableHandle.ts';
import { index } from '../../../lib/dynamodb/tables.ts';
import { writeDelete, writeUpdate } from '../../../lib/dynamodb/transact.ts';
import { env, required } from '../../../lib/env.ts';
import { noteFilters } from '../../../lib/filterIndex/completeFilters.ts';
import { filtersNote, valueItem } from '../../../lib/filterIndex/indexKeys.ts';
import type { CollectionRef } from '../../../lib/records/recordKeys.ts';
import { encodeBits, noBits, setBit } from '../../../lib/records/sets/chunk.ts';
import type { ValueField } from '../../../lib/resources/collection.ts';
import { contacts, listContacts } from '../../../lib/resources/contacts.ts';
import { orders } from '../../../lib/resources/orders.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { call } from '../../support/http/api.ts';
import { expectedIndex, indexed, tagItem } from '../../support/pipeline/expectedIndex.ts';
import { run } from '../../support/stack/commands.ts';

let account: string;
beforeEach(async () => {
  account = givenAccount();
  await givenContacts(account, [aContact({ tags: ['vip'] }), aContact()]);
  await givenOrders(account, [anOrder()]);
});

const ofAccount = (...args: string[]) => run('index', [...args, '--account', account]);

/** Adds an item for a tag that no contact has. No change names it, so nothing but a repair can make it right. */
async function givenStale(): Promise<string> {
  const key = tagItem(account, 'old', 0);
  const bits = noBits();
  setBit(bits, 1, true);
  const item = { ...key, version: 1, members: encodeBits(bits) };
  await dynamodb().send(new PutCommand({ TableName: required(env.indexTable), Item: item }));
  return `${key.pk} ${key.sk}`;
}

describe('build', () => {
  test('writes the index of an account from its records, and says how much', async () => {
    const { code, stdout, stderr } = await ofAccount('build');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^3 records and \d+ items of the index were compared\. (Nothing is wrong|(\d+) wrong, and \2 repaired)\.\n$/,
    );
    expect(await indexed(account)).toEqual(await expectedIndex(account, contacts, orders));
    expect(await ofAccount('build')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' Nothing is wrong.'),
    });
  });
});

describe('a filter that a release is the first to have', () => {
  let ref: CollectionRef;
  let key: string;
  const note = () => ({ ...filtersNote(ref) });
  const listed = (query: { company?: string; email?: string }) => call(listContacts, { key, query });

  beforeEach(async () => {
    ref = { account, type: 'contact' };
    ({ text: key } = await givenKey(account));
    await givenContacts(account, [aContact({ company: 'Navy', email: 'ada@example.com' })]);
    await expect.poll(() => indexed(account)).toEqual(await expectedIndex(account, contacts, orders));
    await expect.poll(() => readItem(index, note())).toBeDefined();
  });

  test('is not ready until the index is built, and then finds the records from before it', async () => {
    // What a release without the filter has left.
    const company = contacts.filters.values.find(({ name }) => name === 'company');
    await writeUpdate(index.update(note(), { filter_company: undefined }));
    await writeDelete(index.delete({ ...valueItem(ref, company as ValueField<never>, 'navy', 2) }));
    expect(await listed({ company: 'Navy' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^company is not ready: records that were stored before/) },
    });
    expect((await listed({ email: 'ada@example.com' })).status).toBe(200);
    expect((await ofAccount('build')).code).toBe(0);
    await expect
      .poll(() => listed({ company: 'Navy' }))
      .toMatchObject({ status: 200, body: { pagination: { total: 1 } } });
  });

  test('is not ready either after a release that does not maintain it', async () => {
    await writeUpdate(index.update(note(), { filter_other: 'other line', filter_email: 'other email' }));
    await noteFilters(ref, contacts.filters, false);
    const kept = await readItem(index, note());
    expect(kept).not.toHaveProperty('filter_other');
    expect(kept).not.toHaveProperty('filter_email');
    expect(kept).toHaveProperty('filter_phone');
  });
});

describe('verify', () => {
  beforeEach(async () => {
    expect((await ofAccount('build')).code).toBe(0);
  });

  test('names what is wrong, and ends with 1; with --repair it repairs it, and ends with 0', async () => {
    // Without a lag, it would name what the stream has not brought yet.
    await expect.poll(async () => (await ofAccount('verify', '--lag', '0')).code).toBe(0);
    const name = await givenStale();
    const found = await ofAccount('verify', '--lag', '0');
    expect(found).toMatchObject({ code: 1, stderr: `wrong: ${name}, 1 position\n` });
    expect(found.stdout).toContain(' 1 wrong, and 0 repaired.\n');
    const repaired = await ofAccount('verify', '--lag', '0', '--repair');
    expect(repaired.stdout).toContain(' 1 wrong, and 1 repaired.\n');
    expect(repaired.code).toBe(0);
    const { code, stdout } = await ofAccount('verify', '--lag', '0', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ records: 3, wrong: 0, repaired: 0, late: 0, complete: true });
  });
});
