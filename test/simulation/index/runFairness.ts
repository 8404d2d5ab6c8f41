import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FairnessLoad, FairnessResult } from './fairness.ts';

const file = join(import.meta.dirname, 'simulateFairness.ts');

/** Room for the times of a long load. */
const maxBuffer = 100_000_000;

/** Simulates a load, in a process with a clock of its own. */
export async function runFairness(load: FairnessLoad): Promise<FairnessResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(load)], { maxBuffer });
  return JSON.parse(stdout) as FairnessResult;
}
