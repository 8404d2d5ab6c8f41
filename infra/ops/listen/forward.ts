import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../../lib/contract/changes.ts';
import { escaped } from '../../../lib/errors/quoted.ts';
import type { Attempt } from '../../../lib/webhooks/model/attempt.ts';
import { bodyOf } from '../../../lib/webhooks/model/event.ts';
import { sendAs } from '../../../lib/webhooks/sending/sendSigned.ts';
import { OpsError } from '../../terminal/opsError.ts';

/** A receiver on this machine. */
export interface LocalReceiver {
  url: string;
  /** Signs the events for it. */
  secret: string;
  /** How long to wait before each further attempt while it does not answer, in milliseconds. */
  delaysMs: readonly number[];
}

/** The delays while a receiver does not answer: long enough for its restart after a change of its code. */
export const usualDelaysMs = [500, 1000, 2000, 4000, 8000];

/**
 * Sends the event of a change to a receiver, again while it does not answer, and prints a line for each attempt. Any answer will do:
 * what is wrong with the event or the receiver, another attempt would not mend.
 * @param resource whole, or its id alone
 * @throws OpsError when the receiver does not answer after the last delay
 */
export async function forward(
  change: Change,
  resource: object,
  { url, secret, delaysMs }: LocalReceiver,
  signal: AbortSignal,
): Promise<void> {
  // The feed does not have the values from before a change.
  const body = bodyOf({ ...change, timestamp: change.at }, { previous: {}, data: resource });
  for (const delayMs of [...delaysMs, undefined]) {
    const signing = { secrets: [secret], at: new Date() };
    const { attempt } = await sendAs(url, { id: change.id, body }, signing);
    const answered = attempt.http_status !== null;
    const again = answered || delayMs === undefined ? '' : `; it is sent again in ${delayMs / 1000} s`;
    console.log(`${lineOf(change, attempt)}${again}`);
    if (answered) return;
    if (delayMs !== undefined) await sleep(delayMs, undefined, { signal });
  }
  throw new OpsError(`The receiver ${url} does not answer. Start it, and then continue.`);
}

/** One line: what was sent, and what the receiver said to it. */
function lineOf({ number, type, resource }: Change, attempt: Attempt): string {
  const { http_status, outcome, duration_ms, response_excerpt } = attempt;
  const said = outcome === 'success' || !response_excerpt ? '' : `  ${escaped(response_excerpt)}`;
  const about = `${String(number).padStart(6)}  ${type.padEnd(30)}  ${resource.id}`;
  return `${about}  ${http_status ?? outcome}  ${duration_ms} ms${said}`;
}
