/** A kind of app: how it names its rows, what its messages say of their order, and whether it reads the outbox. */
export interface Profile {
  names: 'source_id' | 'external_id';
  revision?: true;
  firstRevision?: true;
  /** Whether `updated_at` is in its record messages, or in its deletions, too. */
  updatedAt?: 'records' | 'all';
  outbox?: true;
  merges?: true;
}

export const profiles: readonly Profile[] = [
  { names: 'source_id', revision: true, firstRevision: true, outbox: true, merges: true },
  { names: 'source_id', revision: true, firstRevision: true },
  { names: 'source_id', revision: true, outbox: true },
  { names: 'external_id', revision: true, firstRevision: true, outbox: true },
  { names: 'external_id', revision: true, outbox: true },
  { names: 'external_id', updatedAt: 'all', outbox: true },
  { names: 'external_id', updatedAt: 'records', outbox: true },
  { names: 'external_id', outbox: true },
  { names: 'external_id' },
  { names: 'external_id', revision: true },
  { names: 'external_id', revision: true, firstRevision: true, updatedAt: 'all', outbox: true },
];
