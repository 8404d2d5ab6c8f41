import { unlessThere } from '../dynamodb/expressions.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { keys } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { suspensionPartition } from './keysTable.ts';

// The suspension of an account is a separate item and not a field of its keys, so it also applies to keys that are created later or by another
// system.

const keyOf = (account: string) => ({ pk: suspensionPartition(account) });

/** Returns since when an account is suspended, RFC 3339 UTC; undefined if it is not. One strongly consistent read. */
export const suspendedSince = async (account: string): Promise<string | undefined> =>
  (await readItem<{ suspended_at?: string }>(keys, keyOf(account)))?.suspended_at;

/** Suspends the keys of an account. Suspending them again keeps the first `suspended_at`. */
export const suspendKeys = (account: string, now: Date): Action =>
  keys.update(keyOf(account), {
    suspended_at: unlessThere(now.toISOString()),
    account_id: account,
    resumed_at: undefined,
  });

/** Resumes the keys of an account. The item stays, so a restore from an older backup does not suspend them again. */
export const resumeKeys = (account: string, now: Date): Action =>
  keys.update(keyOf(account), {
    resumed_at: now.toISOString(),
    account_id: account,
    suspended_at: undefined,
  });
