import { beforeEach, describe, expect, test } from 'vitest';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { getItem } from '../../../lib/records/get.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { aContact, givenAccount, givenContacts, inAnHour } from '../../support/data/given.ts';
import { aRecord } from '../../support/data/records.ts';
import { allContacts, everythingOf } from '../../support/data/stored.ts';
import { onWire } from '../../support/faults/wire.ts';
import { withLog } from '../../support/run/logLines.ts';

let account: string;
let count = 0;
beforeEach(() => {
  account = givenAccount();
});

const message = (record: object, resource = 'contacts') => ({
  id: `m${++count}`,
  body: JSON.stringify({ account, resource, record }),
});

/** The product states records, in messages of one batch. */
async function state(...records: object[]) {
  const { lines, text } = await withLog(() =>
    ingest(
      records.map((record) => message(record)),
      Number.POSITIVE_INFINITY,
    ),
  );
  return { lines, text, line: lines.at(-1), reason: lines.find((line) => 'reason' in line)?.reason };
}

/** A client creates a contact. */
const givenByClient = async (more: Partial<Contact> = {}): Promise<Contact> =>
  (
    await createRecord(
      inAccount(contacts, account),
      { ...contacts.blank, email: 'a@b.de', ...more },
      { deadline: inAnHour(), origin: byKey('key_1') },
    )
  ).body;

const all = () => allContacts(account);

describe('a record with an id of the product', () => {
  test('is found by that, and its external id is a field like others', async () => {
    await state({ source_id: 's-1', external_id: 'crm-1', note: 'a' });
    const { line } = await state({ source_id: 's-1', external_id: 'crm-2', note: 'b' });
    expect(line).toMatchObject({ updated: 1 });
    expect(await all()).toMatchObject([{ external_id: 'crm-2', note: 'b', version: 2 }]);
    await state({ source_id: 's-1', note: 'c' });
    expect(await all()).toMatchObject([{ external_id: null, note: 'c' }]);
  });

  test('keeps the external id that a client has given it', async () => {
    await state({ source_id: 's-1', external_id: 'crm-1' });
    const [{ id }] = (await all()) as [Contact];
    const change = ({ record }: { record: Contact }) => ({ content: { ...record, external_id: 'mine' } });
    await updateRecord(inAccount(contacts, account), id, change, {
      deadline: inAnHour(),
      origin: byKey('key_1'),
    });
    await state({ source_id: 's-1', external_id: 'crm-1', note: 'a', known_version: 1 });
    expect(await all()).toMatchObject([{ external_id: 'mine', note: 'a' }]);
  });

  test('is one, however often and at the same moment it is sent, also under its external id', async () => {
    await Promise.all(
      ['a', 'b', 'c'].map((note) => ingest([message({ source_id: 's-1', note })], Number.POSITIVE_INFINITY)),
    );
    expect(await all()).toHaveLength(1);
    await state(
      { source_id: 's-1', external_id: 'crm-1', note: 'd' },
      { external_id: 'crm-1', note: 'e' },
      { source_id: 's-1', external_id: 'crm-1', note: 'f' },
    );
    expect(await all()).toMatchObject([{ external_id: 'crm-1', note: 'f' }]);
  });

  test('of every resource is found by it, and nobody is shown it', async () => {
    for (const type of resourceTypes)
      for (const external_id of ['one', 'two'])
        await ingest(
          [message(aRecord(type, { external_id, source_id: 'the-source' }), resources[type].path)],
          Number.POSITIVE_INFINITY,
        );
    const everything = await everythingOf(account);
    expect(everything.slice(0, resourceTypes.length)).toMatchObject(
      Array(resourceTypes.length).fill({
        pagination: { total: 1 },
        data: [{ external_id: 'two', version: 2 }],
      }),
    );
    expect(JSON.stringify(everything)).not.toContain('source');
  });
});

describe('a record that a client created', () => {
  test('is linked once: from then on the id of the product finds it', async () => {
    const { id } = await givenByClient({ note: 'of a client' });
    await state({ source_id: 's-1', id, email: 'a@b.de', note: 'of a client', known_version: 1 });
    expect(await getItem({ account, type: 'contact' }, id)).toMatchObject({ source_id: 's-1', version: 1 });
    await state({ source_id: 's-1', email: 'a@b.de', note: 'new', known_version: 1 });
    await state({ source_id: 's-1', id, email: 'a@b.de', note: 'new', known_version: 1 });
    expect(await all()).toMatchObject([{ id, note: 'new', version: 2 }]);
  });

  test.each(['revision', 'updated_at'])(
    'starts its %s over with the row that it is linked to',
    async (name) => {
      const at = (nth: number) => (name === 'revision' ? nth : `2026-03-0${nth}T09:00:00Z`);
      await state({ external_id: 'crm-1', note: 'imported', [name]: at(8) });
      const [{ id }] = (await all()) as [Contact];
      for (const nth of [1, 2, 3])
        expect((await state({ source_id: 's-1', id, note: `${nth}`, [name]: at(nth) })).line).toMatchObject({
          updated: 1,
        });
      expect((await state({ source_id: 's-1', id, note: 'late', [name]: at(2) })).line).toMatchObject({
        outdated: 1,
      });
      expect(await all()).toMatchObject([{ note: '3' }]);
    },
  );

  test('is not given to another', async () => {
    const { id } = await givenByClient();
    await state({ source_id: 's-1', id, email: 'a@b.de' });
    const { line, reason } = await state({ source_id: 's-2', id, email: 'x@y.de' });
    expect(line).toMatchObject({ refused: 1 });
    expect(reason).toBe('the ids belong to more than one contact');
    expect(await all()).toMatchObject([{ email: 'a@b.de' }]);
  });

  test('is linked even if the same message is stored between the two reads of this one', async () => {
    const { id } = await givenByClient();
    const link = { source_id: 's-1', id, revision: 1 };
    const undo = onWire(async (_, send) => {
      const answer = await send();
      undo();
      await ingest([message(link)], Number.POSITIVE_INFINITY);
      return answer;
    });
    const { line, reason } = await state(link);
    expect(reason).toBe(undefined);
    expect(line).toMatchObject({ unchanged: 1 });
  });

  test('of two links at the same moment, one counts', async () => {
    const { id } = await givenByClient();
    await Promise.all(
      ['s-1', 's-2'].map((source_id) =>
        ingest([message({ source_id, id, note: source_id })], Number.POSITIVE_INFINITY),
      ),
    );
    const { source_id } = await getItem({ account, type: 'contact' }, id);
    expect(await all()).toMatchObject([{ note: source_id }]);
  });
});

describe('is refused, and the log has no value:', () => {
  test('an external id of another record', async () => {
    await givenContacts(account, [aContact({ external_id: 'canary' })]);
    const { reason, text } = await state({ source_id: 's-1', external_id: 'canary' });
    expect(reason).toBe('external_id … already belongs to another contact');
    expect(text).not.toContain('canary');
    await state({ source_id: 's-1', note: 'a' });
    expect((await state({ source_id: 's-1', external_id: 'canary' })).reason).toBe(reason);
  });

  test.each([
    ['an id that there is not', { source_id: 's-1', id: `con_${'0'.repeat(24)}` }, 'No contact has this id'],
    ['also without a source_id', { external_id: 'x', id: `con_${'0'.repeat(24)}` }, 'No contact has this id'],
    ['neither of the two', { note: 'a' }, /^record\.external_id is required and must be an id.*source_id$/],
    ['a source_id that is none', { source_id: ' ' }, /^record\.external_id is required/],
  ])('%s', async (_, record, reason) => {
    expect((await state(record)).reason).toEqual(expect.stringMatching(reason));
    expect(await all()).toEqual([]);
  });
});

describe('the log says which row of the product was refused:', () => {
  test.each(['42', '0b0e7f2c-0f5a-4f57-9d35-6cbf0c1e7a10'])('%s', async (source_id) => {
    const line = { message: 'a message was refused', account, resource: 'contacts', source_id };
    const badField = await state({ source_id, external_id: {} });
    expect(badField.lines[0]).toMatchObject(line);
    const noSuchId = await state({ source_id, id: `con_${'0'.repeat(24)}` });
    expect(noSuchId.lines[0]).toMatchObject(line);
  });

  test('but no id that may be a name', async () => {
    const { lines, text } = await state({ source_id: 'canary', external_id: {} });
    expect(lines[0]).toMatchObject({ account, resource: 'contacts' });
    expect(text).not.toContain('canary');
  });
});
