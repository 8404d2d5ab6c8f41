import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { indexChanges } from '../../../lib/index/indexChanges.ts';

/** How long an invocation goes on during conflicts. */
const patienceMs = 5000;

/** Indexes changes as one invocation does. @returns the sequence numbers of those that must be handed over again */
export const index = (changes: readonly Change[]): Promise<string[]> =>
  indexChanges(changes, Date.now() + patienceMs);
