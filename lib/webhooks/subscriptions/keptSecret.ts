import { createHash } from 'node:crypto';
import type { SubscriptionWithSecret } from '../../contract/webhookSubscriptions.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  keepAnswer,
  keptAnswer,
} from '../../dynamodb/idempotency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { secretNotRepeated } from '../../errors/apiError.ts';
import type { Access } from '../../keys/access.ts';
import { assertMayRead } from '../model/payload.ts';
import { findSubscription } from '../model/readSubscriptions.ts';
import { readSecrets } from '../model/secrets.ts';

/** The digest that is kept instead of a secret, to compare it later. */
const digestOf = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;

/** Keeps an answer without its secret: a secret is stored in one place only, and nowhere after its end. */
export const keepWithoutSecret = (
  account: string,
  once: IdempotentRequest | undefined,
  body: SubscriptionWithSecret,
): Action[] => keepAnswer(webhooks, account, once, { ...body, secret: digestOf(body.secret) });

/**
 * The answer that was kept for a request, with its secret: the first answer may have been lost.
 * @param access what the calling key may do
 * @param repeatsFor the id of a key, or `null` for the console, that gets the answer to its own request whatever it may read: the operation needs no right to
 *   read
 * @throws ApiError 403 when the key may not read what the subscription is sent, by its settings in the answer or now, 422 when
 *   the secret is no longer the newest of its subscription, or the answer was kept for another request
 */
export async function keptWithSecret(
  account: string,
  access: Access,
  once: IdempotentRequest | undefined,
  repeatsFor?: string | null,
): Promise<IdempotentAnswer<SubscriptionWithSecret> | undefined> {
  const kept = await keptAnswer<SubscriptionWithSecret>(webhooks, account, once);
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
