import { deleteNamed } from '../../../lib/records/deletion/deleteNamed.ts';
import { redactionKey } from '../../../lib/records/deletion/redaction.ts';
import { counterKey, recordKey } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { AccountChanges } from '../../../lib/webhooks/events/accountChanges.ts';
import { subscriptionKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { redactPast } from '../../../lib/webhooks/redaction/redactionTurn.ts';
import { aStreamedRecord, changeTo } from '../../support/data/streamedChanges.ts';
import { note, noted, until } from '../engine/facts.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, presentWorld, type World } from '../engine/world.ts';
import { begunAgain } from './deletions.ts';

// A record is deleted while a change of it becomes an event late, and while its past is redacted.

const account = 'acc_1';
const subscription = `whs_${'0'.repeat(24)}`;
const record = aStreamedRecord(account);
const ref = { account, type: record.type };
const created = changeTo(record, 1, { note: 'canary' });
const tombstoned = changeTo(record, 2, { deleted_at: '2026-03-01T09:30:02.000Z' });
const position = recordKey(record, record.position);

const put = (table: string, key: { pk: string; sk: string }, item: object): void =>
  presentWorld().tables.set(table, key, { ...key, ...item });

const prepare = async (): Promise<void> => {
  put('records', position, { id: record.id, version: 1, created_at: '2026-01-01T00:00:00.000Z' });
  put('records', counterKey(ref), { count: 1, has_deleted: true });
  put('webhooks', subscriptionKey(account, subscription), {
    id: subscription,
    url: 'https://receiver.example/',
    host: 'receiver.example',
    event_types: ['*'],
    payload: 'full',
    status: 'paused',
    version: 1,
    created_at: '2025-01-01T00:00:00.000Z',
    logged: { count: 0, days: {} },
    enqueue_at: '2026-01-01T00:00:00.000Z',
    recovery: { next: 0, from: 0, steps: 0 },
  });
};

const repeated = (name: string, run: () => Promise<unknown>): Role =>
  begunAgain(name, async () => {
    await run();
    note(`${name} is done`);
  });

const deletes = repeated('D', () =>
  deleteNamed(ref, { recordId: record.id }, { origin: byProduct, deadline: presentTime() + 60_000 }),
);

/** The late change becomes an event. */
const fansOut = repeated('L', () => new AccountChanges(account, [created]).commit(presentTime() + 60_000));

const redacts = repeated('T', async () => {
  await until('the record is deleted', () => presentWorld().tables.get('records', position)?.version === 2);
  while (!(await redactPast(account, { id: record.id, version: 2 }, presentTime())));
});

/** The change of the deletion becomes an event, after which the first turn may come. */
const tells = repeated('F', () => new AccountChanges(account, [tombstoned]).commit(presentTime() + 60_000));

const redactsWhenTold = repeated('T', async () => {
  await until('gets the message of a turn', () => noted('https://sqs.example/deferred') === true);
  while (!(await redactPast(account, { id: record.id, version: 2 }, presentTime())));
});

/** As soon as a record is deleted, everybody sees it with its events; and when all is done, no content is stored. */
const check =
  (...names: string[]) =>
  ({ tables, isOver, late }: World): void => {
    const isDeleted = tables.get('records', position)?.deleted_at !== undefined;
    if (isDeleted && !tables.get('webhooks', redactionKey(account, record.id)))
      throw new Violation('A record is deleted, and its events are not hidden');
    if (!isOver || late.length > 0 || !names.every((name) => noted(`${name} is done`))) return;
    const events = tables.items('webhooks').filter(({ sk }) => sk === 'event');
    if (events.some(({ body }) => String(body).includes('canary')))
      throw new Violation('An event has the content of a deleted record');
  };

const limits = [
  { faults: 0, stalls: 1 },
  { faults: 1, stalls: 0 },
];

export const redactions: Scenario[] = [
  {
    name: 'a record that is deleted while a change of it becomes an event late, and its past is redacted',
    limits,
    prepare,
    roles: () => [deletes, fansOut, redacts],
    check: check('D', 'L', 'T'),
  },
  {
    name: 'the change of a deletion becomes an event, and the past of its record is redacted',
    limits,
    prepare: async () => {
      await prepare();
      await new AccountChanges(account, [created]).commit(presentTime() + 60_000);
      await deleteNamed(
        ref,
        { recordId: record.id },
        { origin: byProduct, deadline: presentTime() + 60_000 },
      );
    },
    roles: () => [tells, redactsWhenTold],
    check: check('F', 'T'),
  },
];
