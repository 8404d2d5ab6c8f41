import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// Replaces the clock and the random numbers of a process that runs one story, so that every run leaves the same.

/** A clock for this process. It stands still until it is set. */
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
    // The measured pace of a receiver must not depend on the load of the machine.
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

/**
 * Replaces random bytes, digits and numbers with a counter: every value is different, and every run gets the same
 * values.
 */
export function fixChance(): void {
  const drawn = new Map<number, number>();
  const next = (kind: number): number => {
    const count = (drawn.get(kind) ?? 0) + 1;
    drawn.set(kind, count);
    return count;
  };
  crypto.randomBytes = ((size: number) => bytesOf(size, next(size))) as typeof crypto.randomBytes;
  crypto.randomInt = ((end: number) => next(0) % end) as typeof crypto.randomInt;
  // Named imports of builtin modules change only with this call.
  syncBuiltinESMExports();
  Math.random = () => 0;
}

/**
 * The secrets of webhooks have 32 bytes. This text is not random, so that secret scanners ignore it and a person sees
 * that it is not a secret.
 */
const bytesOf = (size: number, count: number): Buffer =>
  size === 32
    ? Buffer.from(`example, not a secret: ${count}`.padEnd(size, '.'))
    : createHash('sha256').update(`${size} ${count}`).digest().subarray(0, size);
