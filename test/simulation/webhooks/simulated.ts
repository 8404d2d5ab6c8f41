import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FairnessLoad, FairnessResult } from './fairness.ts';
import type { Histories, HistoriesResult } from './histories.ts';
import type { Outage, OutageResult } from './outages.ts';

const file = join(import.meta.dirname, 'simulate.ts');

/** Room for the times of a long load. */
const maxBuffer = 100_000_000;

async function simulated(name: string, argument: object) {
  const args = [file, name, JSON.stringify(argument)];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { maxBuffer })).stdout);
}

export const runFairness = (load: FairnessLoad): Promise<FairnessResult> => simulated('fairness', load);

export const runOutage = (outage: Outage): Promise<OutageResult> => simulated('outage', outage);

export const runHistories = (some: Histories): Promise<HistoriesResult> => simulated('histories', some);
