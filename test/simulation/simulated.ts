import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Edit } from '../exploration/engine/edits.ts';
import type * as identity from './identity/histories.ts';
import type * as index from './index/fairness.ts';
import type { Load, Result } from './race.ts';
import type { Deletions, DeletionsResult } from './webhooks/deletions.ts';
import type * as webhooks from './webhooks/fairness.ts';
import type { Histories, HistoriesResult } from './webhooks/histories.ts';
import type { Outage, OutageResult } from './webhooks/outages.ts';
import type { RedactionLoad, RedactionTimes } from './webhooks/redactions.ts';

const file = join(import.meta.dirname, 'simulate.ts');

/** Room for the times of a long load. */
const maxBuffer = 100_000_000;

/** Returns what runs a simulation in a process with a clock of its own, and throws what it throws. */
const simulated =
  <Argument extends object, Outcome>(name: string) =>
  async (argument: Argument): Promise<Outcome> => {
    const args = [file, name, JSON.stringify(argument)];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { maxBuffer })).stdout);
  };

export const runCreates = simulated<Load, Result>('creates');
export const runIndex = simulated<index.FairnessLoad, index.FairnessResult>('index');
export const runWebhooks = simulated<webhooks.FairnessLoad, webhooks.FairnessResult>('webhooks');
export const runOutage = simulated<Outage, OutageResult>('outage');
export const runIdentity = simulated<
  identity.Histories & { edits?: readonly Edit[] },
  identity.HistoriesResult
>('identity');
export const runHistories = simulated<Histories, HistoriesResult>('histories');
export const runRedactions = simulated<RedactionLoad, RedactionTimes>('redactions');
export const runDeletions = simulated<Deletions & { edits?: readonly Edit[] }, DeletionsResult>('deletions');
