import type { SubscriptionWithSecret } from '../../contract/webhookSubscriptions.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import type { IdempotentAnswer, IdempotentRequest } from '../../dynamodb/idempotency.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { invalidRequest } from '../../errors/apiError.ts';
import { said, theirs } from '../../errors/constant.ts';
import { recordedChange } from '../model/recordedChange.ts';
import {
  keepWithoutSecret,
  keptWithSecret,
  type LiveSecret,
  liveSecrets,
  newSecret,
  readSecrets,
  secretHintOf,
} from '../model/secrets.ts';
import { type ChangeAuthor, changedBy, shownSubscription } from '../model/subscription.ts';
import { changeSubscription, readSubscription } from '../model/subscriptions.ts';
import { secretsKey } from '../model/webhookKeys.ts';

/** The most previous secrets that sign alongside the newest one. */
const previousMax = 4;

/**
 * Creates a new secret for a subscription. The previous secrets also sign during the overlap. There may be several, because the response with
 * the last one may have been lost.
 * @throws ApiError 400 if too many secrets are live, 403 if it repeats a request of another key that may read more, 404 if the account has no
 *   such subscription, 422 if the Idempotency-Key was used for another request, or for one whose secret is no longer the newest
 */
export async function rotateSecret(
  account: string,
  id: string,
  overlapSeconds: number,
  { by, deadline, once }: { by: ChangeAuthor; deadline: number; once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<SubscriptionWithSecret>> {
  const secret = newSecret();
  return untilCommitted(deadline, async () => {
    const kept = await keptWithSecret(account, by.access, once, by.keyId);
    if (kept) return kept;
    // The order matters. If both were read at once, the secrets could be older than the version, and this write would undo a rotation.
    const current = await readSubscription(account, id);
    const before = await readSecrets(account, id);
    if (!before) return undefined;
    const now = new Date();
    const live = liveSecrets(before, now);
    const end = new Date(now.getTime() + overlapSeconds * 1000).toISOString();
    const overlapping = overlapSeconds > 0 ? live.map((one) => endingBy(one, end)) : [];
    const ends = overlapping.map(({ expires_at }) => expires_at).sort();
    if (ends.length > previousMax) throw tooManySecrets(ends[0] as string);
    const { next, action } = changeSubscription(account, current, {
      secret_hint: secretHintOf(secret),
      previous_secret_expires_at: ends.at(-1) ?? null,
      ...changedBy(current, by.keyId),
    });
    const body = { ...shownSubscription(next), secret };
    const { committed } = await transact([
      action,
      webhooks.put({ ...secretsKey(account, id), secrets: [{ secret }, ...overlapping] }),
      ...keepWithoutSecret(account, once, body),
      ...recordedChange(account, 'subscription.rotated', next, by.who),
    ]);
    return committed ? { body, replayed: false } : undefined;
  });
}

const tooManySecrets = (nextEnd: string) =>
  invalidRequest(
    said`At most ${previousMax + 1} secrets can sign at a time; the next one ends at ${theirs(nextEnd)}, and overlap_seconds 0 ends them all`,
  );

/** Limits the end of a secret. An earlier end stays. */
const endingBy = ({ secret, expires_at = '9' }: LiveSecret, end: string) => ({
  secret,
  expires_at: expires_at < end ? expires_at : end,
});
