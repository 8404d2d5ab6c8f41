import { absent } from '../dynamodb/expressions.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import type { ResourceType } from '../resources/index.ts';
import { groupSize, numberedKey } from './keys.ts';

const versionBytes = 4;

type Key = Record<'pk' | 'sk', string>;

/**
 * The highest numbered version of each of 128 records, so that a change which is handed over again is not numbered again. It
 * has no time to live: a change may be handed over again after any time.
 */
export class NumberedVersions {
  readonly key: Key;
  private readonly revision: number | undefined;
  private readonly versions: DataView;

  constructor(key: Key, item: Record<string, unknown> | undefined) {
    this.key = key;
    this.revision = item?.rev as number | undefined;
    const bytes = new Uint8Array(groupSize * versionBytes);
    bytes.set((item?.versions as Uint8Array | undefined) ?? []);
    this.versions = new DataView(bytes.buffer);
  }

  /** The highest numbered version of the record at a position, or of what has an item of its own; 0 when none is numbered. */
  versionOf(position = 0): number {
    return this.versions.getUint32(offsetOf(position));
  }

  note(version: number, position = 0): void {
    this.versions.setUint32(offsetOf(position), version);
  }

  /** Refused when another append was faster at one of these records. */
  store(): Action {
    const rev = this.revision;
    return index.update(
      this.key,
      { versions: new Uint8Array(this.versions.buffer), rev: (rev ?? 0) + 1 },
      { if: rev === undefined ? { pk: absent } : { rev } },
    );
  }
}

/** The highest version of a record that has a number; 0 when none has. */
export async function readNumberedVersion(
  account: string,
  type: ResourceType,
  position: number,
): Promise<number> {
  const key = numberedKey(account, type, position);
  const [item] = await readItems(index, [key]);
  return new NumberedVersions(key, item).versionOf(position);
}

const offsetOf = (position: number): number => (position % groupSize) * versionBytes;
