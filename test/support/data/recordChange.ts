import type { RecordChange } from '../../../lib/records/change.ts';
import type { Stored } from '../../../lib/resources/collection.ts';

const record = (more: object): Stored =>
  ({ id: 'x_1', version: 2, updated_at: '2026-03-01T09:30:00.000Z', ...more }) as unknown as Stored;

/** A change that made a record with these fields. */
export const change = (
  type: RecordChange['type'],
  before: object | undefined,
  after: object,
): RecordChange => ({
  account: 'acme',
  type,
  before: before && record({ version: 1, updated_at: '2026-03-01T09:00:00.000Z', ...before }),
  after: record(after),
  origin: { kind: 'product' },
});
