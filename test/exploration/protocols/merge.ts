import { editOf } from '../../../lib/records/edits.ts';
import { getState } from '../../../lib/records/get.ts';
import type { UpsertEntry } from '../../../lib/records/mergeMessage.ts';
import { editsOf } from '../../../lib/records/recordItem.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey, byProduct } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { bringUpToDate, upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import type { Item } from '../../simulation/expressions.ts';
import { act, note, noted, until } from '../engine/facts.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';

// One contact that clients write and the product states. What the product has, and what it is told of each edit, are facts.

const account = 'acc_1';
const columns = ['note', 'company'] as const;
type Values = Pick<Contact, (typeof columns)[number]>;

interface Product {
  values: Values;
  /** The highest version that it has seen. */
  known: number;
  revision: number;
}

/** An edit by the product, with what it knew, and the message about its record after it. */
interface Sent extends Product {
  change: Partial<Values>;
}

const sentOf = ({ values, known, revision }: Product): UpsertEntry<Contact> => ({
  content: { ...contacts.blank, ...values, external_id: 'E' },
  rowAt: null,
  origin: byProduct,
  ...(noted('row') ? { sourceId: 'row' } : {}),
  terms: { knownVersion: known, revision, named: new Map(Object.entries(values)) },
});

const first: Product = { values: { note: '0', company: '0' }, known: 1, revision: 0 };

const prepare = async (): Promise<void> => {
  await upsertMany(inAccount(contacts, account), [sentOf(first)]);
};

/** Another system has sent the contact often, before it belongs to a row of the product. */
const prepareImported = async (): Promise<void> => {
  await upsertMany(inAccount(contacts, account), [sentOf({ ...first, revision: 5 })]);
  note('row');
};

const itemIn = ({ tables }: World): Item =>
  tables.items('records').find(({ version, id }) => version !== undefined && id !== undefined) as Item;

const product = (): Product => (noted('product') as Product | undefined) ?? first;

const client = (name: string, change: Partial<Contact>): Role => ({
  name,
  // Whether the change took effect is unknown.
  errors: ['Error'],
  run: async () => {
    const { id } = itemIn(presentWorld());
    const options = { deadline: presentTime() + 60_000, origin: byKey('key_1') };
    await updateRecord(
      inAccount(contacts, account),
      id as string,
      ({ record }) => ({ content: { ...record, ...change } }),
      options,
    );
  },
});

/** A queue hands a message over until it is done. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await work();
      return;
    } catch (error) {
      // Whether it took effect may be unknown, too.
      if (!/TimeoutError|is unknown/.test(String(error))) throw error;
    }
}

const deliver = (name: string): Promise<void> =>
  untilDone(async () => {
    const entry = sentOf(noted(`sent by ${name}`) as Sent);
    const state = await getState(inAccount(contacts, account), itemIn(presentWorld()).id as string);
    await bringUpToDate(inAccount(contacts, account), state, entry, { deadline: presentTime() + 60_000 });
  });

/** The product changes its record, and states it. */
const edit = (name: string, change: Partial<Values>): Role => ({
  name,
  mayDie: true,
  isRestarted: true,
  run: async () => {
    if (!noted(`sent by ${name}`))
      await act('changes the product', () => {
        const { values, known, revision } = product();
        const next = { values: { ...values, ...change }, known, revision: revision + 1 };
        note('product', next);
        note(`sent by ${name}`, { ...next, change });
        return {};
      });
    await deliver(name);
  },
});

const repetition = (name: string, of: string): Role => ({
  name,
  mayDie: true,
  run: async () => {
    await until('gets a message again', () => noted(`sent by ${of}`) !== undefined);
    await deliver(of);
  },
});

/** The versions that clients have made, in their order. */
const told = (): Item[] => (noted('told') as Item[] | undefined) ?? [];

/** What the product is told is the item of each version that a client has made. */
function observe(): void {
  const item = itemIn(presentWorld());
  const isOfClient = Object.values(editsOf(item)?.versions ?? {}).includes(item.version as number);
  if (isOfClient && !told().some(({ version }) => version === item.version)) note('told', [...told(), item]);
}

/** The product takes what it is told of the nth edit: the fields whose edit it did not know. */
const take = (name: string, nth: number, clients: readonly string[]): Role => ({
  name,
  run: async () => {
    const world = presentWorld();
    const isNever = () =>
      world.late.length === 0 && clients.every((one) => world.outcomeOf(one) !== undefined);
    const takes = () =>
      act(
        `takes the edit ${nth}, if there is one`,
        () => {
          const item = told()[nth];
          if (!item) return {};
          const { values, known, revision } = product();
          const taken = { ...values };
          for (const column of columns)
            if (editOf(editsOf(item), column) > known)
              taken[column] = (item[column] as string | undefined) ?? null;
          note('product', { values: taken, known: Math.max(known, item.version as number), revision });
          return {};
        },
        () => told().length > nth || isNever(),
      );
    await untilDone(takes);
  },
});

/** In the end both have the same, and no edit is gone but by the rules. */
const check =
  (clients: Record<string, Partial<Contact>>, edits: readonly string[]) =>
  (world: World): void => {
    if (!world.isOver || world.late.length > 0) return;
    const item = itemIn(world);
    const { values } = product();
    const byProduct = edits.flatMap((name) => (noted(`sent by ${name}`) as Sent | undefined) ?? []);
    for (const column of columns) {
      const is = (item[column] as string | undefined) ?? null;
      if (is !== values[column])
        throw new Violation(`${column} is ${is}, and in the product ${values[column]}`);
      const versionOf = (value: unknown) => told().find((one) => one[column] === value)?.version as number;
      const isOfClient = Object.values(clients).some((change) => change[column] === is);
      for (const change of Object.values(clients)) {
        const value = change[column];
        if (value === undefined || value === is || versionOf(value) === undefined) continue;
        const isKnown = byProduct.some((one) => one.change[column] === is && one.known >= versionOf(value));
        if (!isKnown && !(isOfClient && versionOf(is) > versionOf(value)))
          throw new Violation(`The edit ${value} of a client is gone, and nobody knew of it`);
      }
      const last = byProduct.filter((one) => column in one.change).sort((a, b) => b.revision - a.revision)[0];
      if (last && last.change[column] !== is && !(isOfClient && versionOf(is) > last.known))
        throw new Violation(
          `The edit ${last.change[column]} of the product is gone, and no client made another`,
        );
    }
  };

const twoClients = { A: { note: 'a' }, B: { note: 'b', company: 'b' } };
const oneClient = { A: { company: 'a' } };

export const merge: Scenario[] = [
  {
    name: 'two edits by clients and two by the product, one of which is sent again',
    limits: [{ faults: 0, stalls: 0, switches: 2 }],
    prepare,
    roles: () => [
      client('A', twoClients.A),
      client('B', twoClients.B),
      edit('P', { note: 'p' }),
      edit('Q', { company: 'q' }),
      repetition('R', 'P'),
      take('K', 0, ['A', 'B']),
      take('L', 1, ['A', 'B']),
    ],
    observe,
    check: check(twoClients, ['P', 'Q']),
  },
  {
    name: 'an edit by a client, and one by the product that is sent again',
    limits: [{ faults: 0, stalls: 0 }],
    prepare,
    roles: () => [
      client('A', oneClient.A),
      edit('P', { company: 'p' }),
      repetition('R', 'P'),
      take('K', 0, ['A']),
    ],
    observe,
    check: check(oneClient, ['P']),
  },
  {
    name: 'an edit by a client, and one by the product that is taken back',
    limits: [
      { faults: 0, stalls: 1 },
      { faults: 1, stalls: 0 },
    ],
    prepare,
    roles: () => [
      client('A', oneClient.A),
      edit('P', { note: 'p' }),
      edit('Q', { note: '0' }),
      take('K', 0, ['A']),
    ],
    observe,
    check: check(oneClient, ['P', 'Q']),
  },
  {
    name: 'the first two edits by a row that an imported contact is linked to',
    limits: [{ faults: 0, stalls: 1 }],
    prepare: prepareImported,
    roles: () => [edit('P', { note: 'p' }), edit('Q', { company: 'q' }), repetition('R', 'P')],
    observe,
    check: check({}, ['P', 'Q']),
  },
];
