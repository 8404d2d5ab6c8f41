import type { KeyWithSecret } from '../../contract/console/keys.ts';
import type { IdempotentAnswer, IdempotentRequest } from '../../dynamodb/idempotency.ts';
import { rotateSecret } from '../../keys/rotate.ts';
import { tryToAskForFlush } from './askForFlush.ts';
import { environmentOfStage, type KeyRequest, withSecretOnce } from './commit.ts';
import { asBadRequest } from './errors.ts';
import { keyOfAccount } from './read.ts';

/**
 * Gives a key a new secret. Its older secrets end after the overlap at the latest.
 * @throws ApiError 400 when the key has ended or has too many secrets, 404 when the account has no such key, 422 when the
 *   Idempotency-Key was used for another request
 */
export async function rotateKey(
  id: string,
  overlapSeconds: number,
  request: KeyRequest & { once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<KeyWithSecret>> {
  const answer = await withSecretOnce(request, async () => {
    const previous = await keyOfAccount(request.account, id);
    const issued = await asBadRequest(() =>
      rotateSecret(previous, environmentOfStage(), overlapSeconds * 1000, new Date()),
    );
    return { issued, previous };
  });
  if (overlapSeconds === 0) await tryToAskForFlush();
  return answer;
}
