import './useIndexSimulation.ts';
import { useVirtualTime } from '../virtualTime.ts';
import type { FairnessLoad } from './fairness.ts';

// Runs in a process of its own, with a clock of its own: the real functions of the index, in virtual time. It prints the result of a
// load, as JSON.

const { measureFairness } = await import('./fairness.ts');
useVirtualTime();

console.log(JSON.stringify(await measureFairness(JSON.parse(process.argv[2] as string) as FairnessLoad)));
