import type { Programs } from '../programs.ts';
import type { MemoryCurve } from './memory.ts';
import type { Reporter } from './reporter.ts';
import type { Violations } from './violations.ts';

/** From the second quarter of a process to its last one, its memory may grow by this factor: caches fill in the first one. */
const growthMax = 1.25;

/** In fewer samples, a collection of garbage would decide. */
const samplesMin = 100;

/** @returns what is wrong with the memory of the stack, which may have `maxMb` */
export function wrongWithMemory(memory: MemoryCurve, maxMb: number): string[] {
  const { samples, quarters } = memory.longest();
  const [, second = 0, , last = 0] = quarters;
  return [
    ...(memory.highest > maxMb
      ? [`the stack had ${Math.round(memory.highest)} MB, and may have ${maxMb}`]
      : []),
    ...(samples >= samplesMin && last > growthMax * second
      ? [`the memory of the stack has grown from ${Math.round(second)} to ${Math.round(last)} MB`]
      : []),
  ];
}

/** What a soak has done and found, in lines. */
export function summaryOf(
  { accounts, subscribers }: Programs,
  reporter: Reporter,
  { shown, count }: Violations,
): string[] {
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const { memory, latencies } = reporter;
  const quarters = memory.longest().quarters.map((mb) => Math.round(mb));
  return [
    reporter.inWords(),
    `p50/p99 ms: ${latencies.inWords()}`,
    `contacts: ${sum(accounts.map(({ records }) => records.acknowledged))}; ` +
      `changes: ${sum(accounts.map(({ records }) => records.changes))}`,
    ...subscribers.map(
      ({ receiver: { name, accepted, attempts } }) =>
        `${name}: ${accepted.count} events in ${attempts.all} attempts, ${attempts.again} after the event had been accepted`,
    ),
    `memory of the stack: ${Math.round(memory.highest)} MB at most; quarters of its longest process: ${quarters.join(', ')} MB`,
    ...shown,
    `violations: ${count}`,
  ];
}
