import { Random } from '../../simulation/random.ts';

/** What happens to calls of the Lambdas to the database and to the queues. */
export const faultKinds = ['fails', 'is throttled', 'is late', 'loses its answer', 'hangs'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A time, in epoch milliseconds, in which a share of the calls meets a fault. */
export interface FaultWindow {
  kind: FaultKind;
  from: number;
  to: number;
  share: number;
}

export interface Schedule {
  windows: FaultWindow[];
  /** When the stack is killed, epoch milliseconds. */
  kills: number[];
}

/** A window begins in each span of this length. */
const everyMs = 20_000;

/** A soak has at least this many windows. In a short one they leave no time between them, so that calls do meet faults. */
const windowsMin = 5;

/**
 * The faults of a soak, which follow from its seed. Kinds take turns, so that a short soak has each of them. The last tenth of a soak
 * is without faults.
 */
export function scheduleOf(
  seed: number,
  { from, ms, kills }: { from: number; ms: number; kills: number },
): Schedule {
  const random = new Random(seed);
  const between = (low: number, high: number) => low + random.next() * (high - low);
  const faultyMs = 0.9 * ms;
  const spanMs = Math.min(everyMs, faultyMs / windowsMin);
  const windows = Array.from({ length: Math.floor(faultyMs / spanMs) }, (_, i): FaultWindow => {
    const lastsMs = spanMs < everyMs ? spanMs : between(0.05, 0.25) * spanMs;
    const begin = Math.round(from + i * spanMs + between(0, spanMs - lastsMs));
    const kind = faultKinds[i % faultKinds.length] as FaultKind;
    return { kind, from: begin, to: begin + Math.floor(lastsMs), share: between(0.05, 0.4) };
  });
  const killEveryMs = faultyMs / kills;
  return {
    windows,
    kills: Array.from({ length: kills }, (_, i) => from + (i + between(0.5, 0.9)) * killEveryMs),
  };
}
