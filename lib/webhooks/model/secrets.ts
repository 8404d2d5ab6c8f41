import { createHash, randomBytes } from 'node:crypto';
import type { SubscriptionWithSecret } from '../../contract/webhookSubscriptions.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  readAnswer,
  storeAnswer,
} from '../../dynamodb/idempotency.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { secretNotRepeated } from '../../errors/apiError.ts';
import type { Access } from '../../keys/access.ts';
import { assertMayRead } from './payload.ts';
import { findSubscription } from './subscriptions.ts';
import { secretsKey } from './webhookKeys.ts';

/** A secret that signs for a subscription. All secrets but the newest have an end, RFC 3339 UTC. */
export interface LiveSecret {
  secret: string;
  expires_at?: string;
}

/** The item with the secrets of a subscription, newest first. */
export interface Secrets {
  secrets: LiveSecret[];
}

export const secretPrefix = 'whsec_';

export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/** Returns four characters. They distinguish two secrets, but do not help anyone to guess one. */
export const secretHintOf = (secret: string): string => secret.slice(-4);

/** Returns the secrets that sign at a time, newest first. */
export const liveSecrets = ({ secrets }: Secrets, now: Date): LiveSecret[] =>
  secrets.filter(({ expires_at }) => expires_at === undefined || expires_at > now.toISOString());

/** @returns undefined if the subscription was just deleted */
export const readSecrets = (account: string, subscription: string): Promise<Secrets | undefined> =>
  readItem(webhooks, secretsKey(account, subscription));

const digestOf = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;

/** Returns actions that keep a response without its secret. The secret is stored in only one place, and nowhere after its end. */
export const keepWithoutSecret = (
  account: string,
  once: IdempotentRequest | undefined,
  body: SubscriptionWithSecret,
): Action[] => storeAnswer(webhooks, account, once, { ...body, secret: digestOf(body.secret) });

/**
 * Returns the kept response of a request, including its secret, because the first response may have been lost.
 * @param repeatsFor the id of a key, or `null` for the console, that gets the response to its own request whatever it may read
 * @throws ApiError 403 if the key may not read the events of the subscription, by its settings in the response or its current settings, 422 if
 *   the secret is no longer the newest of its subscription, or the response was kept for another request
 */
export async function keptWithSecret(
  account: string,
  access: Access,
  once: IdempotentRequest | undefined,
  repeatsFor?: string | null,
): Promise<IdempotentAnswer<SubscriptionWithSecret> | undefined> {
  const kept = await readAnswer<SubscriptionWithSecret>(webhooks, account, once);
  if (!kept) return undefined;
  const { body } = kept;
  const current = await findSubscription(account, body.id);
  if (!current) throw secretNotRepeated(body.id);
  if (repeatsFor === undefined || body.updated_by_key_id !== repeatsFor)
    for (const { payload, event_types } of [body, current])
      if (payload === 'full') assertMayRead(access, event_types);
  const secret = (await readSecrets(account, body.id))?.secrets[0]?.secret;
  if (secret === undefined || digestOf(secret) !== body.secret) throw secretNotRepeated(body.id);
  return { body: { ...body, secret }, replayed: true };
}
