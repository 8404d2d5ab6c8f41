import type { IdempotentRequest } from '../../../lib/dynamodb/idempotency.ts';
import { QueuedDraft } from '../../../lib/records/commitQueue/commit.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { Leader } from '../../../lib/records/commitQueue/leader.ts';
import {
  newTicket,
  noteContention,
  putIntoQueue,
  withdrawDraft,
} from '../../../lib/records/commitQueue/queue.ts';
import { readCounter } from '../../../lib/records/counter.ts';
import { newDraft } from '../../../lib/records/recordItem.ts';
import { counterKey, inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import type { Item } from '../../simulation/expressions.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';

const account = 'acc_1';
const ref = { account, type: contacts.type };
const table = 'records';

interface Creator {
  /** Whether it knows that others create at the same time: then it uses the commit queue at once. */
  inGroup?: boolean;
  deadlineMs?: number;
  content?: Partial<Contact>;
  once?: IdempotentRequest;
}

const create = (name: string, { inGroup, deadlineMs = 9000, content, once }: Creator = {}): Role => ({
  name,
  // The external id belongs to another record, or the deadline has passed.
  errors: ['ApiError', 'Error'],
  mayDie: true,
  run: async () => {
    if (inGroup) noteContention(ref);
    const deadline = presentTime() + deadlineMs;
    const { body } = await createRecord(
      inAccount(contacts, account),
      { ...contacts.blank, note: name, ...content },
      { deadline, origin: byProduct, once },
    );
    return body.id;
  },
});

const recordsOf = ({ tables }: World): Item[] =>
  tables.items(table).filter(({ pk }) => /#contact#\d+$/.test(String(pk)));

/** The records are dense, the counter counts them, and no draft is there twice. */
function checkCollection(world: World): void {
  const records = recordsOf(world);
  const count = (world.tables.get(table, counterKey(ref))?.count as number | undefined) ?? 0;
  for (let position = 0; position < count; position++)
    if (!records.some(({ sk }) => Number(sk) === position))
      throw new Violation(`There is no record at the position ${position}`);
  if (records.length !== count)
    throw new Violation(`${records.length} records, and the counter counts ${count}`);
  for (const name of ['note', 'external_id'])
    if (Map.groupBy(records, (record) => record[name] ?? record.id).size !== count)
      throw new Violation(`Two records have the same ${name}`);
}

/** Whoever got an id finds the record. Whoever got an error finds none, unless it says that nothing is known. */
function checkAnswers(world: World): void {
  const records = recordsOf(world);
  for (const { name, outcome } of world.actors) {
    if (!outcome) continue;
    if ('value' in outcome && outcome.value !== undefined && !records.some(({ id }) => id === outcome.value))
      throw new Violation(`${name} got an id, and there is no such record`);
    if ('value' in outcome || isUnknown(outcome.error)) continue;
    if (world.isOver && records.some(({ note }) => note === name))
      throw new Violation(`${name} got the error "${outcome.error.message}", and its record is there`);
  }
}

/** An error of ours that says nothing about the record: docs/promises.md. */
const isUnknown = ({ name }: Error): boolean => name === 'TimeoutError';

const check = (world: World): void => {
  checkCollection(world);
  checkAnswers(world);
};

const inAnyOrder = [
  { faults: 0, stalls: 1 },
  { faults: 1, stalls: 0 },
];

/** A group takes many calls, so it is explored with few switches. */
const inGroups = [
  { faults: 0, stalls: 0, switches: 2 },
  { faults: 0, stalls: 1, switches: 1 },
  { faults: 1, stalls: 0, switches: 1 },
];

const sameId = { content: { external_id: 'E' } };
const sameRequest = { content: { note: 'one request' }, once: { name: 'createContact#K', fingerprint: 'F' } };

const queued = { ticket: newTicket('a draft'), deadline: presentTime() + 9000 };

const enqueueDraft = (): Promise<void> =>
  putIntoQueue(ref, { ...queued, draft: newDraft<Contact>(contacts, { ...contacts.blank, note: 'W' }) });

/** Commits what waits in the queue. */
const leader = (name: string): Role => ({
  name,
  mayDie: true,
  run: async () => {
    const start = { ticket: name, predecessor: undefined, callMs: 5, deadline: presentTime() + 9000 };
    const counter = await readCounter(ref);
    await new Leader(inAccount(contacts, account), { ...start, counter }, new QueuedDraft(name)).lead();
  },
});

/** Gives up what it has put into the queue. */
const withdrawer: Role = {
  name: 'W',
  errors: ['Error'],
  run: async () => {
    const outcome = await withdrawDraft(ref, queued.ticket);
    if (outcome?.kind !== 'committed') throw new Error('The draft was withdrawn');
    return recordsOf(presentWorld())[0]?.id;
  },
};

export const creates: Scenario[] = [
  {
    name: 'two who know nothing of each other',
    limits: inAnyOrder,
    roles: () => [create('A'), create('B')],
    check,
  },
  {
    name: 'three who know nothing of each other',
    limits: [{ faults: 0, stalls: 0, switches: 2 }],
    roles: () => [create('A'), create('B'), create('C')],
    check,
  },
  {
    name: 'two with one external id',
    limits: inAnyOrder,
    roles: () => [create('A', sameId), create('B', sameId)],
    check,
  },
  {
    name: 'one request that comes twice',
    limits: inAnyOrder,
    roles: () => [create('A', sameRequest), create('B', sameRequest)],
    check,
  },
  {
    name: 'a draft that is withdrawn while a leader commits it',
    limits: inAnyOrder,
    prepare: enqueueDraft,
    roles: () => [leader('L'), withdrawer],
    check,
  },
  {
    name: 'a draft that is withdrawn while two leaders commit it',
    limits: [{ faults: 0, stalls: 0, switches: 3 }],
    prepare: enqueueDraft,
    roles: () => [leader('L'), leader('M'), withdrawer],
    check,
  },
  {
    name: 'two in the commit queue, one of them with little time',
    limits: inGroups,
    roles: () => [create('A', { inGroup: true }), create('B', { inGroup: true, deadlineMs: 30 })],
    check,
  },
];
