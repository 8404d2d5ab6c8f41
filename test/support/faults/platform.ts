import { setTimeout as sleep } from 'node:timers/promises';

const stepMs = 20;

/**
 * What the platform does to a Lambda that has not answered by then, and must never have to do. The time passes in short steps, which a busy
 * machine makes longer: what the Lambda itself has planned for an earlier time comes before.
 */
export async function killedByThePlatform(ms: number): Promise<{ statusCode: number; body: string }> {
  for (let left = ms; left > 0; left -= stepMs) await sleep(stepMs, undefined, { ref: false });
  return { statusCode: 0, body: 'killed' };
}
