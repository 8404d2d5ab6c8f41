import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { type Deletion, deleteNamed } from '../../../lib/records/deletion/deleteNamed.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import type { UpsertEntry } from '../../../lib/records/mergeMessage.ts';
import {
  counterKey,
  deletedCountKey,
  deletedPartition,
  inAccount,
  sourceKey,
} from '../../../lib/records/recordKeys.ts';
import { byKey, byOperator, byProduct } from '../../../lib/records/recordOrigin.ts';
import { decodeBits, membersOf } from '../../../lib/records/sets/chunk.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import type { Item } from '../../simulation/expressions.ts';
import { note, noted, until } from '../engine/facts.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';

// Records that are deleted while others change, state and create them.

const account = 'acc_1';
const ref = { account, type: contacts.type };
const deadline = () => presentTime() + 60_000;

interface Row {
  id?: string;
  external_id?: string;
  revision: number;
  firstRevision?: number;
}

/** The message of a row, with its revision as the note. */
const sentOf = ({ id, external_id, revision, firstRevision }: Row): UpsertEntry<Contact> => ({
  content: { ...contacts.blank, note: `p${revision}`, external_id: external_id ?? null },
  rowAt: null,
  origin: byProduct,
  ...(id === undefined ? {} : { sourceId: id }),
  terms: { revision, ...(firstRevision === undefined ? {} : { firstRevision }) },
});

const prepare =
  (...rows: Row[]) =>
  async (): Promise<void> => {
    await upsertMany(inAccount(contacts, account), rows.map(sentOf));
  };

const recordsIn = ({ tables }: World): Item[] =>
  tables.items('records').filter(({ pk }) => /#contact#\d+$/.test(String(pk)));

const isLiving = (record: Item): boolean => record.deleted_at === undefined;

const livingIn = (world: World): Item[] => recordsIn(world).filter(isLiving);

/** Work that a queue or an operator repeats until it is done. */
export const begunAgain = (name: string, run: () => Promise<unknown>): Role => ({
  name,
  mayDie: true,
  isRestarted: true,
  run: async () => {
    for (;;)
      try {
        return await run();
      } catch (error) {
        // Whether it took effect may be unknown. A queue hands a message over again when no call is under way any more.
        if (!/TimeoutError|is unknown/.test(String(error))) throw error;
        await until('begins again', () => presentWorld().late.length === 0);
      }
  },
});

const states = (name: string, row: Row): Role =>
  begunAgain(name, () => upsertMany(inAccount(contacts, account), [sentOf(row)]));

const deletes = (name: string, deletion: Deletion): Role =>
  begunAgain(name, () => deleteNamed(ref, deletion, { origin: byProduct, deadline: deadline() }));

/** The id of the first record. */
const firstId = (): string => recordsIn(presentWorld())[0]?.id as string;

const erases = (name: string): Role =>
  begunAgain(name, () =>
    deleteNamed(ref, { recordId: firstId() }, { origin: byOperator, deadline: deadline() }),
  );

const changes = (name: string): Role => ({
  name,
  // The record is deleted, or whether the change took effect is unknown.
  errors: ['ApiError', 'Error'],
  run: () =>
    updateRecord(
      inAccount(contacts, account),
      firstId(),
      ({ record }) => ({ content: { ...record, note: name } }),
      {
        deadline: deadline(),
        origin: byKey('key_1'),
      },
    ),
});

const creates = (name: string, external_id: string): Role => ({
  name,
  // The external id belongs to the record that is not deleted yet.
  errors: ['ApiError'],
  run: () =>
    createRecord(
      inAccount(contacts, account),
      { ...contacts.blank, note: name, external_id },
      { deadline: deadline(), origin: byKey('key_1') },
    ),
});

/** Notes which state each version of a record has had. */
function observe(): void {
  for (const { id, version, note: text, deleted_at } of recordsIn(presentWorld())) {
    const [name, state] = [`${id} ${version}`, `${text} ${deleted_at !== undefined}`];
    if (noted(name) === undefined) note(name, state);
    else if (noted(name) !== state) note('twice', version);
  }
}

/** Tombstones, the set of deleted positions, the counts and the external ids agree after every step. */
function checkAll(world: World): void {
  const records = recordsIn(world);
  const gone = records.filter((record) => !isLiving(record));
  const { count = 0 } = world.tables.get('records', counterKey(ref)) ?? {};
  const { count: deleted = 0 } = world.tables.get('records', deletedCountKey(ref)) ?? {};
  if (records.length !== count)
    throw new Violation(`${records.length} records, and the counter counts ${count}`);
  if (gone.length !== deleted) throw new Violation(`${gone.length} are deleted, and ${deleted} are counted`);
  const set = world.tables.items('records').find(({ pk }) => pk === deletedPartition(ref, 0));
  const members = set ? membersOf(decodeBits(set.members as Uint8Array)) : [];
  if (`${members}` !== `${gone.map(({ sk }) => Number(sk))}`)
    throw new Violation(`The set of the deleted positions has ${members.length} of ${gone.length}`);
  if (gone.some(({ note: text, external_id }) => text !== undefined || external_id !== undefined))
    throw new Violation('Something is left of a deleted record');
  for (const { pk, id } of world.tables.items('records'))
    if (String(pk).includes('#external#') && !records.some((one) => one.id === id && isLiving(one)))
      throw new Violation('An external id belongs to a record that is deleted');
  for (const { id, source_id } of livingIn(world)) {
    if (source_id === undefined) continue;
    const known = world.tables.get('records', sourceKey(ref, source_id as string)) as Item;
    if (known.id !== id || known.deleted_id === id)
      throw new Violation('The row of a record is noted as deleted');
  }
  if (noted('twice') !== undefined) throw new Violation(`Two states are the version ${noted('twice')}`);
}

/** In the end, the product's rows have these notes, and no others are there. */
const endsWith =
  (...notes: string[]) =>
  (world: World): void => {
    checkAll(world);
    if (!world.isOver || world.late.length > 0) return;
    const found = livingIn(world).flatMap(({ note: text }) => (/^p/.test(String(text)) ? text : []));
    if (`${found}` !== `${notes}`)
      throw new Violation(`Of the product’s rows there is ${found.join(', ') || 'nothing'}, not ${notes}`);
  };

/** Reads a list from its second record on: a page that shows the first one would meet its tombstone, and be read again. */
const lists = (name: string): Role => ({
  name,
  run: async () => {
    const { data, pagination } = await listRecords(inAccount(contacts, account), { limit: 10, offset: 1 });
    note('list read', `${data.map(({ id }) => id)} ${pagination.total}`);
  },
});

/** Notes each list that was there. */
function observeLists(): void {
  const living = livingIn(presentWorld());
  note(`list ${living.slice(1).map(({ id }) => id)} ${living.length}`);
}

/** A list that was read was there at one moment. */
function checkList(world: World): void {
  checkAll(world);
  const read = noted('list read');
  if (read !== undefined && !noted(`list ${read}`)) throw new Violation(`The list ${read} never was`);
}

const row = 'row';
const faultOrStall = [
  { faults: 1, stalls: 0 },
  { faults: 0, stalls: 1 },
];

export const deletions: Scenario[] = [
  {
    name: 'an operator deletes a contact that a client changes and the product states',
    limits: faultOrStall,
    prepare: prepare({ id: row, revision: 1 }),
    roles: () => [erases('D'), changes('U'), states('S', { id: row, revision: 2 })],
    observe,
    check: endsWith(),
  },
  {
    name: 'a row that is deleted, and sent late',
    limits: faultOrStall,
    prepare: prepare({ id: row, revision: 1, firstRevision: 1 }),
    roles: () => [
      deletes('D', { sourceId: row, revision: 3 }),
      states('S', { id: row, revision: 2, firstRevision: 1 }),
    ],
    observe,
    check: endsWith(),
  },
  {
    name: 'two contacts that are deleted at the same time, and a create with the external id of one',
    limits: [{ faults: 0, stalls: 0 }],
    prepare: prepare({ id: row, revision: 1, external_id: 'E' }, { id: 'other', revision: 1 }),
    roles: () => [
      deletes('D', { sourceId: row, revision: 2 }),
      deletes('F', { sourceId: 'other', revision: 2 }),
      creates('C', 'E'),
    ],
    observe,
    check: endsWith(),
  },
  {
    name: 'a row that an operator and the product delete, and that comes back under its old id',
    limits: [{ faults: 0, stalls: 0 }],
    prepare: prepare({ id: row, revision: 1, firstRevision: 1 }),
    roles: () => [
      erases('O'),
      deletes('D', { sourceId: row, revision: 3 }),
      states('N', { id: row, revision: 5, firstRevision: 5 }),
    ],
    observe,
    check: endsWith('p5'),
  },
  {
    name: 'a list from the second contact on, while the first is deleted and one is created',
    limits: [{ faults: 0, stalls: 0 }],
    prepare: async () => {
      await prepare({ id: row, revision: 1 }, { id: 'third', revision: 1 })();
      await deleteNamed(ref, { sourceId: 'third' }, { origin: byProduct, deadline: deadline() });
    },
    roles: () => [deletes('D', { sourceId: row, revision: 2 }), creates('C', 'E'), lists('L')],
    observe: observeLists,
    check: checkList,
  },
];

/** Deletions by external id, for products without ids of their own. */
export const externalDeletions: Scenario[] = [
  {
    name: 'a contact that the product deletes by its external id before it is sent',
    limits: [
      { faults: 1, stalls: 0, switches: 2 },
      { faults: 0, stalls: 1 },
    ],
    roles: () => [
      deletes('D', { externalId: 'E', revision: 2 }),
      states('S', { external_id: 'E', revision: 1 }),
    ],
    observe,
    check: endsWith(),
  },
  {
    name: 'a contact that the product deletes by its external id, states late, and states again',
    limits: [{ faults: 0, stalls: 0, switches: 1 }],
    roles: () => [
      deletes('D', { externalId: 'E', revision: 2 }),
      states('S', { external_id: 'E', revision: 1 }),
      states('N', { external_id: 'E', revision: 5 }),
    ],
    observe,
    check: endsWith('p5'),
  },
];
