import type { Origin, ShownOrigin } from '../contract/origin.ts';

export const byKey = (keyId: string): Origin => ({ kind: 'api', key_id: keyId });

/** The origin of changes from the inbox and from imports. */
export const byProduct: Origin = { kind: 'product' };

export const byOperator: Origin = { kind: 'operator' };

/** Returns the origin in an item or an entry. Its fields are in the order of the contract, because the database keeps no order. */
export function originIn({ origin }: { origin?: unknown }): Origin | null {
  const { kind, key_id } = (origin ?? {}) as { kind?: 'product'; key_id?: string };
  if (kind === undefined) return null;
  return key_id === undefined ? { kind } : { kind: 'api', key_id };
}

/** Returns the key that made a change; undefined if no key made it, or none is known. */
export const originKeyId = (origin: ShownOrigin | undefined): string | undefined => origin?.key_id;

/** Returns whether a client made the change. edits.ts tracks such changes. */
export const isOfClient = (origin: Origin | undefined): boolean => origin?.kind === 'api';
