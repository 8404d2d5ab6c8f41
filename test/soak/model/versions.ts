import { Numbers } from './numbers.ts';

/** Contacts of this version are not changed any more: so all versions of a contact fit into the bits of one number. */
export const versionsMax = 24;

/** Which versions of which records something has got: a copy, or a receiver. */
export class Versions {
  private readonly bits = new Numbers();
  /** How many, each counted once. */
  count = 0;

  has(row: number, version: number): boolean {
    return (this.bits.get(row) & (1 << (version - 1))) !== 0;
  }

  add(row: number, version: number): void {
    if (this.has(row, version)) return;
    this.bits.set(row, this.bits.get(row) | (1 << (version - 1)));
    this.count += 1;
  }

  /** Whether they are the versions from 1 to this one, and no others. */
  areUpTo(row: number, version: number): boolean {
    return this.bits.get(row) === 2 ** version - 1;
  }
}
