import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/**
 * What the platform does to a Lambda that has not answered by then, and must never have to do. Node runs timers of one length together:
 * in a process that was busy for half a second, this one may run before the Lambda's own, which was due earlier. So the others that are
 * due come first.
 */
export async function killedByThePlatform(ms: number): Promise<{ statusCode: number; body: string }> {
  await sleep(ms, undefined, { ref: false });
  await setImmediate();
  return { statusCode: 0, body: 'killed' };
}
