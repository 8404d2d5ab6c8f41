import type { Origin, ShownOrigin } from '../contract/origin.ts';

export const byKey = (keyId: string): Origin => ({ kind: 'api', key_id: keyId });

/** The inbox, and imports. */
export const byProduct: Origin = { kind: 'product' };

export const byOperator: Origin = { kind: 'operator' };

/** The origin in an item or an entry, with its fields in the order of the contract: the database does not keep it. */
export function originIn({ origin }: { origin?: unknown }): Origin | null {
  const { kind, key_id } = (origin ?? {}) as { kind?: 'product'; key_id?: string };
  if (kind === undefined) return null;
  return key_id === undefined ? { kind } : { kind: 'api', key_id };
}

/** The key that made a change; undefined when no key did, or none is known. */
export const originKeyId = (origin: ShownOrigin | undefined): string | undefined => origin?.key_id;

/** Edits of clients are noted: edits.ts. */
export const isOfClient = (origin: Origin | undefined): boolean => origin?.kind === 'api';
