import { beforeEach, describe, expect, test } from 'vitest';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { givenAccount, inAnHour } from '../../support/data/given.ts';
import { anOrder } from '../../support/data/orders.ts';
import { aRecord } from '../../support/data/records.ts';
import { allContacts, everythingOf } from '../../support/data/stored.ts';
import { withLog } from '../../support/run/logLines.ts';

let account: string;
let count = 0;
beforeEach(() => {
  account = givenAccount();
});

const take = (record: object, resource = 'contacts') => {
  const body = JSON.stringify({ account, resource, record: { external_id: 'one', ...record } });
  return ingest([{ id: `m${++count}`, body }], Number.POSITIVE_INFINITY);
};

/** The product states a record. @returns the lines of the log */
async function state(record: object, resource = 'contacts') {
  const { result, lines } = await withLog(() => take(record, resource));
  return { isRefused: result.length > 0, lines, line: lines.at(-1) };
}

const stored = async (): Promise<Contact> => (await allContacts(account))[0] as Contact;

/** A client changes the contact. @returns when, RFC 3339 */
async function edit(change: Partial<Contact>): Promise<string> {
  const { id } = await stored();
  const patched = ({ record }: { record: Contact }) => ({ content: { ...record, ...change } });
  return (
    await updateRecord(inAccount(contacts, account), id, patched, {
      deadline: inAnHour(),
      origin: byKey('key_1'),
    })
  ).updated_at;
}

describe('the product has not seen what a client wrote', () => {
  beforeEach(async () => {
    await state({ note: 'old', revision: 1 });
    await edit({ note: 'of a client' });
  });

  test('the client’s stays, beside everything that the product states', async () => {
    const { line } = await state({ note: 'old', phone: '+4930123456', known_version: 1, revision: 2 });
    expect(await stored()).toMatchObject({ note: 'of a client', phone: '+4930123456', version: 3 });
    expect(line).toMatchObject({ updated: 1, edits_kept: 1, edits_overwritten: 0 });
    expect(JSON.stringify(line)).toContain('"Name":"edits_overwritten"');
  });

  test('with neither, everything is replaced, and the log says what; a later message is about the product’s own', async () => {
    const { lines } = await state({ note: 'new' });
    const { id, note } = await stored();
    expect(note).toBe('new');
    expect(lines).toMatchObject([
      {
        level: 'WARN',
        message: 'edits of clients were overwritten',
        account,
        resource: 'contacts',
        id,
        fields: ['note'],
      },
      { message: 'ingested', edits_overwritten: 1 },
    ]);
    expect((await state({ note: 'newer' })).lines).toHaveLength(1);
    await edit({ note: 'again' });
    expect((await state({ note: 'newest' })).line).toMatchObject({ edits_overwritten: 1 });
  });
});

describe('a revision', () => {
  test('that is lower is ignored, also after one that changed nothing; the same again changes nothing', async () => {
    await state({ note: 'a', revision: 1 });
    expect((await state({ note: 'a', revision: 7 })).line).toMatchObject({ unchanged: 1 });
    expect((await state({ note: 'b', revision: 6 })).line).toMatchObject({ outdated: 1 });
    expect((await state({ note: 'a', revision: 7 })).line).toMatchObject({ unchanged: 1 });
    expect(await stored()).toMatchObject({ note: 'a', version: 1 });
    await state({ note: 'c', revision: 8 });
    expect(await stored()).toMatchObject({ note: 'c', version: 2 });
  });

  test('every resource has it', async () => {
    for (const type of resourceTypes) {
      const record = aRecord(type, { external_id: 'one' });
      await state({ ...record, revision: 2 }, resources[type].path);
      const { line } = await state({ ...record, custom_fields: { a: 1 }, revision: 1 }, resources[type].path);
      expect(line).toMatchObject({ outdated: 1 });
    }
    expect(JSON.stringify(await everythingOf(account))).not.toMatch(/"a":1|revision|left_out|known_version/);
  });
});

describe('what a message leaves out', () => {
  const whole = {
    note: 'a',
    address: { line1: 'Street 1', city: 'Bonn', country: 'DE' },
    custom_fields: { points: 1, plan: 'gold' },
  };
  beforeEach(() => state(whole));

  test('becomes empty, or stays, as the product wants it', async () => {
    await state({ phone: '+4930123456', left_out: 'keep' });
    expect(await stored()).toMatchObject({ ...whole, phone: '+4930123456' });
    await state({ email: 'a@b.de', left_out: 'clear' });
    expect(await stored()).toMatchObject({
      note: null,
      phone: null,
      address: null,
      custom_fields: {},
      email: 'a@b.de',
    });
  });

  test('is a part of an address, or a custom field; null empties', async () => {
    await state({
      address: { city: 'Köln' },
      custom_fields: { points: 2, plan: null },
      note: null,
      left_out: 'keep',
    });
    expect(await stored()).toMatchObject({
      note: null,
      address: { line1: 'Street 1', city: 'Köln', country: 'DE' },
      custom_fields: { points: 2 },
    });
    await state({ address: null, custom_fields: [], left_out: 'keep' });
    expect(await stored()).toMatchObject({ address: null, custom_fields: { points: 2 } });
    await state({ custom_fields: null, left_out: 'keep' });
    expect((await stored()).custom_fields).toEqual({});
  });

  test('is a value inside a custom field, at every depth; null removes one, and a list is one value', async () => {
    await state({ custom_fields: { a: { b: { c: 1, gone: 2 }, list: [{ x: 1 }] }, n: { m: 1 } } });
    const patch = { a: { b: { gone: null, d: -0 }, list: [{ y: null }] }, n: 3, new: { e: null, f: 1 } };
    await state({ custom_fields: patch, left_out: 'keep' });
    const merged = { a: { b: { c: 1, d: 0 }, list: [{ y: null }] }, n: 3, new: { f: 1 } };
    const { custom_fields, version } = await stored();
    expect(custom_fields).toEqual(merged);
    await state({ custom_fields: merged });
    expect(await stored()).toMatchObject({ custom_fields: merged, version });
  });

  test('of an order are its parts, too, but no amount: the sum counts it as 0', async () => {
    const order = anOrder({ external_id: 'one', note: 'a', billing_address: { city: 'Bonn' } });
    await state({ ...order, discount_amount: 100, subtotal_amount: order.total_amount + 100 }, 'orders');
    await state({ ...order, note: undefined, billing_address: undefined, left_out: 'keep' }, 'orders');
    const [, orders] = (await everythingOf(account)) as [unknown, { data: object[] }];
    expect(orders.data).toMatchObject([{ note: 'a', billing_address: { city: 'Bonn' }, discount_amount: 0 }]);
  });
});
