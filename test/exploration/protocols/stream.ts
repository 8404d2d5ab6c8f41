import type { StreamedChange } from '../../../lib/records/change.ts';
import { recordId } from '../../../lib/records/position.ts';
import { toRecord } from '../../../lib/records/recordItem.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { note, noted, until } from '../engine/facts.ts';
import type { Role } from '../engine/model.ts';

// What the stream of the Records table hands over, and how: each batch until it is done, and a batch that was handed over may come again
// at any time.

export const account = 'acc_1';

const at = (version: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, version)).toISOString();

/** A version of a contact. */
export const contactAt = (position: number, version: number, more: Partial<Contact> = {}): Contact =>
  toRecord(contacts, {
    ...contacts.blank,
    id: recordId(contacts.prefix, position, new Uint8Array(10)),
    version,
    created_at: at(1),
    updated_at: at(version),
    ...more,
  });

/** The changes that made versions of one contact from the version before, in this order. */
export const changesTo = (position: number, versions: readonly Contact[]): StreamedChange[] =>
  versions.slice(1).map((after, i) => ({
    account,
    type: contacts.type,
    before: versions[i],
    after,
    origin: byProduct,
    clientEdits: {},
    sourceId: null,
    revision: null,
    position,
    sequenceNumber: `${position}-${after.version}`,
    record: {},
  }));

type Consume = (changes: readonly StreamedChange[]) => Promise<string[]>;

/**
 * A shard of the stream: it hands over its batches one after the other, each until it is done.
 * @param isThere whether a batch has been written to the stream
 */
export const shard = (
  name: string,
  batches: readonly (readonly StreamedChange[])[],
  consume: Consume,
  isThere: (batch: readonly StreamedChange[]) => boolean = () => true,
): Role => ({
  name,
  mayDie: true,
  isRestarted: true,
  run: async () => {
    for (const [i, batch] of batches.entries()) {
      if (noted(`${name} done ${i}`)) continue;
      await until(`gets the batch ${i}`, () => isThere(batch));
      note(`${name} begins ${i}`);
      while ((await consume(batch)).length > 0);
      note(`${name} done ${i}`);
    }
  },
});

/** A batch that comes once more, after the shard has handed over one of its batches. */
export const repetition = (
  name: string,
  [of, nth]: readonly [shard: string, batch: number],
  changes: readonly StreamedChange[],
  consume: Consume,
): Role => ({
  name,
  mayDie: true,
  run: async () => {
    await until('gets a batch again', () => noted(`${of} begins ${nth}`) === true);
    await consume(changes);
  },
});
