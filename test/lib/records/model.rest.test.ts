import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { givenAccount, inAnHour } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';

// Random programs of several writers and readers against a plain array of what a collection has to be.

/** One step of a writer. Names are few, so that writers meet at the same external ids. */
type Step =
  | { do: 'create'; name: string | null }
  | { do: 'import'; names: string[] }
  | { do: 'update'; which: number }
  | { do: 'list'; limit: number; offset: number };

const name = fc.integer({ min: 0, max: 30 }).map((n) => `name-${n}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('create' as const), name: fc.option(name, { freq: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 20 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.nat({ max: 120 }),
    }),
  },
);
const programs = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });

let undo = () => {};
afterEach(() => undo());

/** What is known about a collection from the answers that its writers and readers got. */
class Model {
  /** The id at each position that anybody has seen. */
  readonly idAt = new Map<number, string>();
  /** The highest version of each record in any answer. */
  readonly versionOf = new Map<string, number>();
  /** Acknowledged changes of each record. */
  readonly changes = new Map<string, number>();
  acknowledged = 0;
  begun = 0;

  saw(record: Contact, position?: number): void {
    this.versionOf.set(record.id, Math.max(this.versionOf.get(record.id) ?? 0, record.version));
    if (position === undefined) return;
    expect(this.idAt.get(position) ?? record.id, `position ${position}`).toBe(record.id);
    this.idAt.set(position, record.id);
  }

  created(record: Contact): void {
    this.acknowledged += 1;
    this.saw(record);
  }

  changed(record: Contact): void {
    this.changes.set(record.id, (this.changes.get(record.id) ?? 0) + 1);
    this.saw(record);
  }
}

async function run(account: string, model: Model, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.do === 'create') {
      model.begun += 1;
      const content = { ...contacts.blank, email: 'a@example.com', external_id: step.name };
      const made = await createRecord(inAccount(contacts, account), content, {
        deadline: inAnHour(),
        origin: byProduct,
      }).catch((error) => {
        if (error.status !== 400 || step.name === null) throw error;
      });
      if (made) model.created(made.body);
      else model.begun -= 1;
    } else if (step.do === 'import') {
      model.begun += step.names.length;
      const entries = step.names.map((external_id) => ({
        content: { ...contacts.blank, external_id, note: String(Math.random()) },
        rowAt: null,
        origin: byProduct,
      }));
      for (const result of await upsertMany(inAccount(contacts, account), entries)) {
        if (result.kind === 'created') model.created(result.record);
        else model.begun -= 1;
        if (result.kind === 'updated') model.changed(result.record);
      }
    } else if (step.do === 'update') {
      const ids = [...model.versionOf.keys()];
      const id = ids[step.which % ids.length];
      if (id === undefined) continue;
      const note = String(Math.random());
      const change = ({ record }: { record: Contact }) => ({ content: { ...record, note } });
      model.changed(
        await updateRecord(inAccount(contacts, account), id, change, {
          deadline: inAnHour(),
          origin: byProduct,
        }),
      );
    } else {
      const [least, { limit, offset }] = [model.acknowledged, step];
      const { data, pagination } = await listRecords(inAccount(contacts, account), { limit, offset });
      // What was acknowledged before is counted, and nothing that had not begun.
      expect(pagination.total).toBeGreaterThanOrEqual(least);
      expect(pagination.total).toBeLessThanOrEqual(model.begun);
      expect(data).toHaveLength(Math.max(0, Math.min(limit, pagination.total - offset)));
      for (const [i, record] of data.entries()) model.saw(record, offset + i);
    }
  }
}

test.each([
  ['on this machine', undefined],
  ['like the real database, with conflicts', { latencyMs: 2, conflicts: true }],
])('with any concurrent writes, a collection is an array that only grows (%s)', async (_, realism) => {
  if (realism) undo = simulateRemoteDatabase(realism);
  await fc.assert(
    fc.asyncProperty(programs, async (writers) => {
      const [account, model] = [givenAccount(), new Model()];
      await Promise.all(writers.map((steps) => run(account, model, steps)));
      const all = await allContacts(account);
      expect(all).toHaveLength(model.acknowledged);
      for (const [position, record] of all.entries()) {
        model.saw(record, position);
        expect(record.version).toBe(1 + (model.changes.get(record.id) ?? 0));
      }
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const names = all.flatMap(({ external_id }) => external_id ?? []);
      expect(new Set(names).size).toBe(names.length);
      const times = all.map(({ created_at }) => created_at);
      expect(times).toEqual([...times].sort());
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
