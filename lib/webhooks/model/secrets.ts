import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { secretsKey } from './keys.ts';

/** A secret that signs for a subscription. All but the newest have an end, RFC 3339 UTC. */
export interface LiveSecret {
  secret: string;
  expires_at?: string;
}

/** The item with the secrets of a subscription, newest first. */
export interface Secrets {
  secrets: LiveSecret[];
}

/** The last four characters: they distinguish two secrets, and do not help to guess one. */
export const hintOf = (secret: string): string => secret.slice(-4);

/** The secrets that sign at a time, newest first. */
export const liveSecrets = ({ secrets }: Secrets, now: Date): LiveSecret[] =>
  secrets.filter(({ expires_at }) => expires_at === undefined || expires_at > now.toISOString());

/** @returns undefined when the subscription was deleted just now */
export const readSecrets = (account: string, subscription: string): Promise<Secrets | undefined> =>
  readItem(webhooks, secretsKey(account, subscription));
