import { likeTheRealOne } from '../../support/faults/contention.ts';

/** Where the database is: on this machine, as fast as it comes, or as far away as the real one is. */
export const distances = [
  { name: 'none', begin: () => () => {} },
  { name: '8 ms, with conflicts', begin: () => likeTheRealOne({ latencyMs: 8, conflicts: true }) },
] as const;
