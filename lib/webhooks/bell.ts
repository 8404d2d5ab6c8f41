import { isAccount } from '../contract/account.ts';
import { readObject } from '../contract/json.ts';

/** What a message of the queues says: look at this delivery. All there is to know about it is in the table. */
export interface Bell {
  account: string;
  subscription_id: string;
  delivery_id: string;
}

/** Reads the body of a message. @returns undefined when it is none of ours */
export function readBell(body: string): Bell | undefined {
  const read = readObject(body);
  const { account, subscription_id, delivery_id } = ('value' in read ? read.value : {}) as Partial<Bell>;
  const isBell = isAccount(account) && isText(subscription_id) && isText(delivery_id);
  return isBell ? { account, subscription_id, delivery_id } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
