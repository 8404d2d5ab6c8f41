import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';

/**
 * Flushes the gateway's cache of authorizer responses, so that a change to a key takes effect with the next request. After a change that takes
 * access away, the cache is flushed twice: an authorizer that read the key just before the change can respond after the first flush, and its
 * response would be cached.
 * @returns false if the cache could not be flushed; a message and the exit code report it
 */
export async function flush(
  { flushAuthorizers, authorizerMs }: Pick<Connection, 'flushAuthorizers' | 'authorizerMs'>,
  { taken }: { taken: boolean },
): Promise<boolean> {
  let flushed = await flushAuthorizers();
  if (taken) {
    if (authorizerMs >= 1000)
      console.error(
        `The change is stored. An authorizer can still answer with the old state for ${authorizerMs / 1000} s; then the cache is flushed again.`,
      );
    await sleep(authorizerMs);
    flushed = (await flushAuthorizers()) && flushed;
  }
  if (flushed) return true;
  console.error(
    'The cache of the authorizer could not be flushed: the change counts when the cached answers have expired.',
  );
  process.exitCode = 1;
  return false;
}
