import { simulateRemoteDatabase } from '../../support/faults/contention.ts';

/** How far away the database is: on this machine, or as far as DynamoDB is from a Lambda. */
export const distances = [
  { name: 'none', begin: () => () => {} },
  { name: '8 ms, with conflicts', begin: () => simulateRemoteDatabase({ latencyMs: 8, conflicts: true }) },
] as const;
