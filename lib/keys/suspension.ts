import { unlessThere } from '../dynamodb/expressions.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { keys } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { suspensionPartition } from './table.ts';

// The suspension of an account is an item of its own, and not a field of its keys: so it also holds for keys that are made later,
// and for those that another system writes.

const keyOf = (account: string) => ({ pk: suspensionPartition(account) });

/** Since when an account is suspended, RFC 3339 UTC; undefined when it is not. One strongly consistent read. */
export const suspendedSince = async (account: string): Promise<string | undefined> =>
  (await readItem<{ suspended_at?: string }>(keys, keyOf(account)))?.suspended_at;

/** Suspends the keys of an account. A repetition keeps the first time. */
export const suspendKeys = (account: string, now: Date): Action =>
  keys.update(keyOf(account), {
    suspended_at: unlessThere(now.toISOString()),
    account_id: account,
    resumed_at: undefined,
  });

/** Resumes the keys of an account. The item stays, so that a restore from an older backup does not suspend them again. */
export const resumeKeys = (account: string, now: Date): Action =>
  keys.update(keyOf(account), {
    resumed_at: now.toISOString(),
    account_id: account,
    suspended_at: undefined,
  });
