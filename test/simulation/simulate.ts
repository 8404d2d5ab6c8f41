import './useSimulation.ts';
import type { Load } from './race.ts';
import { useVirtualTime } from './virtualTime.ts';

// The bench `creates` starts this in a process of its own, with a clock and a memory of its own: many create in one account at once, by
// the real code of lib/records. It prints the result of a load, as JSON, and fails when a record is missing, is there twice, or leaves a
// gap.

const { race } = await import('./race.ts');
useVirtualTime();

console.log(JSON.stringify(await race(JSON.parse(process.argv[2] as string) as Load)));
