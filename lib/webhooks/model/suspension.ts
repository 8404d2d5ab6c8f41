import { present } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { suspensionKey } from './keys.ts';

/** Whether an account is suspended, or has been. Read before each attempt. */
interface Suspension {
  suspended_at?: string;
  resumed_at?: string;
}

/** @param item of the suspension of an account, if there is one */
export const isSuspended = (item: Record<string, unknown> | undefined): boolean =>
  (item as Suspension | undefined)?.suspended_at !== undefined;

export const putSuspension = (account: string, suspension: Suspension): Action =>
  webhooks.put({ ...suspensionKey(account), ...suspension });

/** Lets a transaction commit only while an account is suspended. */
export const whileSuspended = (account: string): Action =>
  webhooks.check(suspensionKey(account), { suspended_at: present });
