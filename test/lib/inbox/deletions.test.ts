import { beforeEach, describe, expect, test } from 'vitest';
import { listMatching } from '../../../lib/filterIndex/listMatching.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { readDeleted, readDeletedCount } from '../../../lib/records/deletion/deletedSet.ts';
import { readById } from '../../../lib/records/get.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { upsertRecord } from '../../../lib/records/upsert/upsert.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { deleted, givenAccount, inAnHour } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { beforeTheCommit, onWire } from '../../support/faults/wire.ts';
import { withLog } from '../../support/run/logLines.ts';

let account: string;
let count = 0;
beforeEach(() => {
  account = givenAccount();
});

/** Hands messages to the inbox, each by itself and in their order. @returns what was counted, and why one was refused */
async function tell(...said: object[]) {
  const { lines } = await withLog(async () => {
    for (const one of said) {
      const message = { id: `m${++count}`, body: JSON.stringify({ account, resource: 'contacts', ...one }) };
      await ingest([message], Number.POSITIVE_INFINITY);
    }
  });
  const reason = lines.find((line) => 'reason' in line)?.reason;
  const of = (kind: string) => lines.reduce((sum, line) => sum + Number(line[kind] ?? 0), 0);
  return {
    reason,
    created: of('created'),
    deleted: of('deleted'),
    unchanged: of('unchanged'),
    outdated: of('outdated'),
    refused: of('refused'),
  };
}

const row = (revision: number, more: object = {}) => ({
  record: { source_id: 'row', revision, note: `${revision}`, ...more },
});
const gone = (revision?: number, more: object = {}) => ({ deleted: { source_id: 'row', revision, ...more } });
const notes = async () => (await allContacts(account)).map(({ note }) => note);
const idOf = async (note: string) =>
  (await allContacts(account)).find((one) => one.note === note)?.id as string;
const page = (query: object = {}) =>
  listMatching(inAccount(contacts, account), { limit: 25, offset: 0, sort: 'created_at', ...query });

describe('a row that is deleted', () => {
  test('takes its record with it, with all content, and once', async () => {
    await tell(row(1, { external_id: 'crm-1', email: 'a@b.de' }));
    const id = await idOf('1');
    expect(await tell(gone(2), gone(2), gone(3))).toMatchObject({ deleted: 1, unchanged: 2 });
    expect(Object.keys((await readById({ account, type: 'contact' }, id)) ?? {}).sort()).toEqual([
      'created_at',
      'deleted_at',
      'id',
      'origin',
      'pk',
      'sk',
      'updated_at',
      'version',
    ]);
    expect(await page()).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  test('takes the record of a client that was to be linked to it, although the row was deleted again before', async () => {
    const by = { deadline: inAnHour(), origin: byKey('key_1') };
    const { body } = await createRecord(
      inAccount(contacts, account),
      { ...contacts.blank, note: 'A client’s' },
      by,
    );
    await tell(gone(5), gone(2, { id: body.id }));
    expect(await notes()).toEqual([]);
  });

  test.each<[string, object[], string[]]>([
    ['a late message brings nothing back', [row(1), gone(3), row(2)], []],
    ['nor does one that comes before the record was ever here', [gone(3), row(1), row(2)], []],
    ['an older deletion is rejected', [row(5), gone(4)], ['5']],
    ['a row that came back is a new record', [row(1), gone(2), row(3, { first_revision: 3 })], ['3']],
    ['also when it is sent before its deletion', [row(1), row(4, { first_revision: 4 }), gone(3)], ['4']],
    [
      'and is not mistaken for an edit that was under way',
      [row(1), gone(3), row(4, { first_revision: 1 })],
      [],
    ],
    ['without since, its revision tells it', [row(1), gone(2), row(3)], ['3']],
    [
      'a second deletion is for the row that came back, too',
      [row(1), gone(2), gone(5), row(4, { first_revision: 4 })],
      [],
    ],
    [
      'without revisions, its time tells it',
      [
        { record: { source_id: 'row', note: 'old' } },
        gone(undefined, { updated_at: '2026-02-01T00:00:00Z' }),
        { record: { source_id: 'row', note: 'late', updated_at: '2026-01-01T00:00:00Z' } },
        { record: { source_id: 'row', note: 'new', updated_at: '2026-03-01T00:00:00Z' } },
        { record: { source_id: 'row', note: 'late', updated_at: '2026-01-01T00:00:00Z' } },
      ],
      ['new'],
    ],
  ])('%s', async (_, said, expected) => {
    await tell(...said);
    expect(await notes()).toEqual(expected);
  });

  test('that would have begun after the message about it is refused, and its record stays', async () => {
    await tell(row(9, { first_revision: 1 }));
    expect(await tell(row(5, { first_revision: 10 }))).toMatchObject({
      refused: 1,
      reason: 'record.first_revision must not be above revision',
    });
    expect(await notes()).toEqual(['9']);
  });

  test('and came back already, is deleted late: the deletion is ignored, and needs nobody', async () => {
    await tell(row(13, { first_revision: 13 }), row(14));
    expect(await tell(gone(12))).toMatchObject({ unchanged: 1, refused: 0 });
    expect(await tell(gone(13))).toMatchObject({ refused: 1 });
    expect(await notes()).toEqual(['14']);
  });

  test('by its external id does not come back under any of its names', async () => {
    await tell(row(3, { external_id: 'crm-1' }), { deleted: { external_id: 'crm-1' } });
    expect(await tell({ record: { external_id: 'crm-1', note: 'late' } })).toMatchObject({ refused: 1 });
    expect(await tell(row(2, { external_id: 'crm-1' }))).toMatchObject({ outdated: 1, refused: 0 });
    expect(await notes()).toEqual([]);
  });

  test('by an operator does not come back by its edits, and does by since', async () => {
    await tell(row(3));
    await deleted(account, await idOf('3'));
    await tell(row(4), row(5, { first_revision: 1 }));
    expect(await notes()).toEqual([]);
    await tell(row(6, { first_revision: 6 }));
    expect(await notes()).toEqual(['6']);
  });
});

const by = { deadline: inAnHour(), origin: byKey('key_1') };

describe('a message of before under another name of the record', () => {
  const named = (more: object) => ({ record: { external_id: 'E', note: 'erased', ...more } });
  const rename = async (external_id: string | null) =>
    updateRecord(
      inAccount(contacts, account),
      await idOf('erased'),
      ({ record }) => ({ content: { ...record, external_id } }),
      by,
    );
  const byOperator = async () => deleted(account, await idOf('erased'));
  const byId = async () => tell({ deleted: { id: await idOf('erased'), revision: 9 } });
  const linked = async () =>
    tell({ record: { source_id: 'row', id: await idOf('erased'), revision: 2, left_out: 'keep' } });

  test.each<[string, (() => Promise<unknown>)[]]>([
    ['a client has given it another, and an operator deletes it', [() => rename('F'), byOperator]],
    ['a client has taken its name away, and your app deletes it by its id', [() => rename(null), byId]],
    ['your app has given it a source id, and deletes it by that', [linked, () => tell(gone(3))]],
    ['your app has given it a source id, and an operator deletes it', [linked, byOperator]],
    [
      'several times',
      [
        () => rename('F'),
        () => tell({ record: { external_id: 'F', left_out: 'keep', revision: 3 } }),
        () => rename('G'),
        linked,
        byOperator,
      ],
    ],
  ])('is not stored: %s', async (_, steps) => {
    for (const more of [{ revision: 1, first_revision: 1 }, {}]) {
      await tell(named(more));
      for (const step of steps) await step();
      const { created, outdated, refused } = await tell(named(more));
      expect([created, outdated + refused]).toEqual([0, 1]);
      expect(await notes()).toEqual([]);
      account = givenAccount();
    }
  });
});

describe('deletions in one batch', () => {
  const many = 40;
  const names = Array.from({ length: many }, (_, i) => `row ${i}`);
  const message = (said: object) => ({
    id: `m${++count}`,
    body: JSON.stringify({ account, resource: 'contacts', ...said }),
  });
  const take = (said: readonly object[]) => ingest(said.map(message), Number.POSITIVE_INFINITY);

  /** How many transactions some work commits. */
  async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
    let transactions = 0;
    const undo = onWire(({ name }, send) => {
      if (name === 'TransactWriteItems') transactions += 1;
      return send();
    });
    await work();
    undo();
    return transactions;
  }

  test.each([
    ['source_id', 2],
    ['external_id', 2],
  ])('by %s share transactions, and the set, the count and lists have all of them', async (name, most) => {
    await take(names.map((one) => ({ record: { [name]: one, revision: 1, note: one } })));
    const last = await idOf('row 39');
    const said = names.slice(0, -1).map((one) => ({ deleted: { [name]: one, revision: 2 } }));
    expect(await transactionsOf(() => take(said))).toBe(most);
    expect((await page()).data.map(({ id }) => id)).toEqual([last]);
    const ref = { account, type: 'contact' } as const;
    expect(await readDeletedCount(ref)).toBe(many - 1);
    const set = await readDeleted(ref, many, { consistent: true });
    expect(set.select(0, many)).toEqual(names.slice(0, -1).map((_, i) => i));
    expect(await transactionsOf(() => take(said))).toBe(0);
    await take(names.slice(0, -1).map((one) => ({ record: { [name]: one, revision: 1, note: 'late' } })));
    expect(await notes()).toEqual(['row 39']);
  });

  test('do not hold each other up: one that meets a change is made alone, and one that is late is not made', async () => {
    await take(names.map((one) => ({ record: { source_id: one, revision: 3, note: one } })));
    const change = ({ record }: { record: Contact }) => ({ content: { ...record, note: 'of a client' } });
    const id = await idOf('row 7');
    beforeTheCommit(() => updateRecord(inAccount(contacts, account), id, change, by));
    await take(names.map((one, i) => ({ deleted: { source_id: one, revision: i === 9 ? 2 : 4 } })));
    expect(await notes()).toEqual(['row 9']);
    expect(await readDeletedCount({ account, type: 'contact' })).toBe(many - 1);
  });
});

describe('a merge', () => {
  const other = { record: { source_id: 'other', note: 'other' } };
  const merged = async (id: string) => (await readById({ account, type: 'contact' }, id))?.merged_into;

  test('names the record that is there, also at the end of later merges', async () => {
    await tell(row(1), other, { record: { source_id: 'third', note: 'third' } });
    const [id, otherId, third] = await Promise.all(['1', 'other', 'third'].map(idOf));
    await tell({ deleted: { source_id: 'other', merged_into: { source_id: 'third' } } });
    await tell(gone(2, { merged_into: { source_id: 'other' } }));
    expect(await merged(id as string)).toBe(third);
    await expect(
      updateRecord(inAccount(contacts, account), otherId as string, () => ({ content: contacts.blank }), by),
    ).rejects.toMatchObject({
      status: 404,
      message: `No contact has the id "${otherId}"`,
      detail: {
        scope: 'contacts:read',
        message: `No contact has the id "${otherId}": it was merged into ${third}`,
      },
    });
  });

  test('into what is not known waits, and is then a deletion', async () => {
    await tell(row(1));
    const id = await idOf('1');
    const body = { account, resource: 'contacts', ...gone(2, { merged_into: { source_id: 'unknown' } }) };
    const message = { id: 'm', body: JSON.stringify(body) };
    expect(await ingest([message], Number.POSITIVE_INFINITY)).toEqual(['m']);
    await ingest([{ ...message, receives: 4 }], Number.POSITIVE_INFINITY);
    const item = await readById({ account, type: 'contact' }, id);
    expect(item).toMatchObject({ deleted_at: expect.any(String) });
    expect(item?.merged_into).toBeUndefined();
  });
});

describe('a deletion that contradicts itself, or what was sent, is rejected, and deletes nothing:', () => {
  const other = { record: { source_id: 'other', external_id: 'crm-2', revision: 1, note: 'other' } };

  test.each<[string, object]>([
    ['a merge into itself', gone(2, { merged_into: { source_id: 'row' } })],
    ['a revision below that of the record', gone(0)],
    ['a merge into a contact that was merged into it', gone(2, { merged_into: { source_id: 'third' } })],
  ])('%s', async (_, deletion) => {
    await tell(row(1), { record: { source_id: 'third', revision: 1, note: 'third' } });
    await tell({ deleted: { source_id: 'third', revision: 2, merged_into: { source_id: 'row' } } });
    expect(await tell(deletion)).toMatchObject({ refused: 1, deleted: 0 });
    expect(await notes()).toEqual(['1']);
  });

  test('ids of two records', async () => {
    await tell(row(1, { external_id: 'crm-1' }), other);
    const id = await idOf('1');
    for (const names of [{ external_id: 'crm-2' }, { source_id: 'other' }])
      expect(await tell({ deleted: { ...names, id, revision: 9 } })).toMatchObject({ refused: 1 });
    expect(await notes()).toEqual(['1', 'other']);
  });
});

describe('a name that was deleted', () => {
  const named = { external_id: 'crm-1' };
  const again = (more: object = {}) => ({ record: { ...named, note: 'again', ...more } });
  const createByClient = () =>
    createRecord(inAccount(contacts, account), { ...contacts.blank, ...named, note: 'of a client' }, by);
  const deletedAtIn = (reason: unknown) => /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(String(reason))?.[0];

  test.each<[string, () => Promise<unknown>]>([
    ['the app', () => tell({ deleted: named })],
    ['an operator', async () => deleted(account, (await allContacts(account))[0]?.id as string)],
  ])(
    'by %s: a record that may be from before is rejected with the time, and stored when that is known',
    async (_, remove) => {
      await tell({ record: { ...named, note: 'first' } });
      await remove();
      const { reason, refused } = await tell(again());
      expect([refused, await notes()]).toEqual([1, []]);
      const known_deletion = deletedAtIn(reason);
      expect(await tell(again({ known_deletion }))).toMatchObject({ created: 1 });
      // The note is still there: what does not know of the deletion changes nothing.
      expect(await tell(again({ note: 'late' }))).toMatchObject({ refused: 1 });
      await tell(again({ known_deletion, note: 'next' }));
      expect(await notes()).toEqual(['next']);
    },
  );

  test('is updated by the app when a client has created it anew', async () => {
    const { reason } = await tell({ record: named }, { deleted: named }, again());
    await createByClient();
    expect(await tell(again())).toMatchObject({ refused: 1 });
    expect(await notes()).toEqual(['of a client']);
    await tell(again({ known_deletion: deletedAtIn(reason) }));
    expect(await notes()).toEqual(['again']);
  });

  test.each<[string, object, object]>([
    ['with a revision is ignored', { revision: 5 }, { unchanged: 1, refused: 0 }],
    ['without one is rejected', {}, { refused: 1 }],
  ])('the same deletion again %s, when a client has created a record since', async (_, order, expected) => {
    await tell({ record: { ...named, revision: 1 } }, { deleted: { ...named, ...order } });
    await createByClient();
    const result = await tell({ deleted: { ...named, ...order } });
    expect(result).toMatchObject({ deleted: 0, ...expected });
    expect(await notes()).toEqual(['of a client']);
    if (result.refused === 0) return;
    await tell({ deleted: { ...named, known_deletion: deletedAtIn(result.reason) } });
    expect(await notes()).toEqual([]);
  });
});

describe('a late message is ignored, whatever else is wrong with it:', () => {
  test('an id of a deleted record, of none, or of another', async () => {
    const { body } = await createRecord(inAccount(contacts, account), { ...contacts.blank, note: 'c' }, by);
    const link = row(1, { id: body.id });
    await tell(link, gone(2, { id: body.id }), row(3, { first_revision: 3 }));
    const unknown = row(1, { id: `con_${'0'.repeat(24)}` });
    expect(await tell(link, unknown)).toMatchObject({ outdated: 2, refused: 0 });
    await tell(gone(4));
    expect(await tell(link, unknown, row(2))).toMatchObject({ outdated: 3, refused: 0 });
  });

  test('an external id that another record has by now', async () => {
    await tell(row(2), { record: { source_id: 'other', external_id: 'crm-1' } });
    expect(await tell(row(1, { external_id: 'crm-1' }))).toMatchObject({ outdated: 1, refused: 0 });
  });
});

test('a time that is ahead of the clock tells no order: the next message with a right one is taken', async () => {
  const ahead = { record: { external_id: 'crm-1', note: 'ahead', updated_at: '2099-01-01T00:00:00Z' } };
  const { reason } = await tell(ahead);
  expect(reason).toMatch(/^record\.updated_at is more than five minutes ahead/);
  const gone = { deleted: { external_id: 'other', updated_at: '2099-01-01T00:00:00Z' } };
  expect(await tell(gone)).toMatchObject({ reason: reason?.toString().replace('record', 'deleted') });
  await tell({ record: { external_id: 'crm-1', note: 'next', updated_at: new Date().toISOString() } });
  expect(await notes()).toEqual(['next']);
  await tell({ deleted: { external_id: 'crm-1' } });
  expect(await tell(ahead)).toMatchObject({ refused: 1 });
  expect(await notes()).toEqual([]);
});

describe('a client', () => {
  test('meets an unknown id, a free external id, and no record in a repetition of its create', async () => {
    const once = { name: `createContact#${account}`, fingerprint: 'f' };
    const content = { ...contacts.blank, external_id: 'mine', note: 'a' };
    const { body } = await createRecord(inAccount(contacts, account), content, { ...by, once });
    await deleted(account, body.id);
    await expect(
      updateRecord(inAccount(contacts, account), body.id, () => ({ content }), by),
    ).rejects.toMatchObject({
      status: 404,
      message: `No contact has the id "${body.id}"`,
    });
    await expect(createRecord(inAccount(contacts, account), content, { ...by, once })).rejects.toMatchObject({
      status: 404,
    });
    const { record, isNew } = await upsertRecord(inAccount(contacts, account), content, {
      ...by,
      permit: () => {},
    });
    expect([isNew, record.id === body.id]).toEqual([true, false]);
  });
});
