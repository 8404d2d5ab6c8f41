import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';

/**
 * Has the gateway forget what it knows about keys, so that a change of theirs counts from the next request on. What has
 * been taken from a key is forgotten twice: an authorizer that read it just before the change answers after the first time,
 * and that answer would be remembered.
 * @returns false, said to the person and in the exit code, when the gateway did not forget
 */
export async function flush(
  { flushAuthorizers, authorizerMs }: Pick<Connection, 'flushAuthorizers' | 'authorizerMs'>,
  { taken }: { taken: boolean },
): Promise<boolean> {
  let flushed = await flushAuthorizers();
  if (taken) {
    if (authorizerMs >= 1000)
      console.error(
        `It is done. For another ${authorizerMs / 1000} s an authorizer may answer what was before; then its answers are flushed again.`,
      );
    await sleep(authorizerMs);
    flushed = (await flushAuthorizers()) && flushed;
  }
  if (flushed) return true;
  console.error('The cache of the authorizer could not be flushed: the change counts when it has run out.');
  process.exitCode = 1;
  return false;
}
