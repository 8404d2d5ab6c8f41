import { setTimeout as sleep } from 'node:timers/promises';

const stepMs = 20;

/**
 * A time passes in short steps, which a busy machine makes longer: what this process has planned for an earlier time comes before, and so
 * does what it has to read.
 */
export async function passed(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) await sleep(stepMs, undefined, { ref: false });
}

/** What the platform does to a Lambda that has not answered by then, and must never have to do. */
export async function killedByThePlatform(ms: number): Promise<{ statusCode: number; body: string }> {
  await passed(ms);
  return { statusCode: 0, body: 'killed' };
}
