import { createHash } from 'node:crypto';
import { Numbers } from './numbers.ts';
import { versionsMax } from './versions.ts';

/** A whole number of 32 bits in the place of an id, which is never 0. */
const digestOf = (id: string): number => createHash('sha256').update(id).digest().readInt32LE() || 1;

/** The ids of the events of an account: one for each version of each record, wherever and however often it is shown. */
export class Events {
  private readonly digests = new Numbers();

  /** @returns what is wrong with the id of the event of a version */
  wrongId(row: number, version: number, id: string): string | undefined {
    const at = row * versionsMax + version - 1;
    const [before, digest] = [this.digests.get(at), digestOf(id)];
    if (before === 0) this.digests.set(at, digest);
    return before === 0 || before === digest ? undefined : `the event ${id} has another id elsewhere`;
  }
}
