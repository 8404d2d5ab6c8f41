import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// Takes time and chance away from a process that lives for one story, so that the story leaves the same twice.

/** A clock that only this process follows, and that stands still until it is set. */
export class FixedClock {
  private now: number;

  /** @param start RFC 3339 */
  constructor(start: string) {
    this.now = Date.parse(start);
    const now = () => this.now;
    globalThis.Date = class extends Date {
      constructor(...given: [] | [number | string]) {
        super(given.length === 0 ? now() : given[0]);
      }

      static override now = now;
    } as DateConstructor;
    // The pace of a receiver must not depend on how busy the machine is.
    performance.now = () => 0;
  }

  /** @param to RFC 3339 */
  set(to: string): void {
    this.now = Date.parse(to);
  }

  pass(ms: number): void {
    this.now += ms;
  }
}

/** Makes random bytes, digits and numbers a count: different each time, and the same in every run. */
export function fixChance(): void {
  const drawn = new Map<number, number>();
  const next = (kind: number): number => {
    const count = (drawn.get(kind) ?? 0) + 1;
    drawn.set(kind, count);
    return count;
  };
  crypto.randomBytes = ((size: number) => bytesOf(size, next(size))) as typeof crypto.randomBytes;
  crypto.randomInt = ((end: number) => next(0) % end) as typeof crypto.randomInt;
  // What is imported by name gets these only after this.
  syncBuiltinESMExports();
  Math.random = () => 0;
}

/** The secrets of webhooks have 32 bytes: scanners look for what is random, and a person sees at once that this is none. */
const bytesOf = (size: number, count: number): Buffer =>
  size === 32
    ? Buffer.from(`example, not a secret: ${count}`.padEnd(size, '.'))
    : createHash('sha256').update(`${size} ${count}`).digest().subarray(0, size);
