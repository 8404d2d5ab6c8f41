import { testEventType } from '../../contract/eventTypes.ts';
import { testEvent } from '../model/event.ts';
import { liveSecrets, type Secrets } from '../model/secrets.ts';
import type { Subscription } from '../model/subscription.ts';
import { newSecret, type Signing, sendAs } from '../sending/sendSigned.ts';

/** Older than any receiver should accept: the Standard Webhooks advise five minutes. */
const oldMs = 3_600_000;

/** As long as any attempt may take. */
const timeoutMs = 15_000;

type Receiver = Pick<Subscription, 'id' | 'version' | 'url'>;

/** The receiver, or a proxy before it, says that it could not look at the request. */
const notHandled: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Whether a receiver refuses webhooks that nobody may accept: one that a stranger has signed, and one whose time has passed. Both
 * are whole and valid otherwise, and each has an id of its own, because a receiver may ignore an id that it knows.
 * @param deadline epoch milliseconds; an answer that comes later leaves the question open
 * @returns true when both are refused, false when one is accepted, null when the receiver did neither
 */
export async function checkSignatures(
  subscription: Receiver,
  secrets: Secrets,
  deadline: number,
): Promise<boolean | null> {
  const now = new Date();
  const live = liveSecrets(secrets, now).map(({ secret }) => secret);
  const accepted = await Promise.all([
    isAccepted(subscription, { secrets: [newSecret()], at: now }, deadline),
    isAccepted(subscription, { secrets: live, at: new Date(now.getTime() - oldMs) }, deadline),
  ]);
  if (accepted.includes(true)) return false;
  return accepted.includes(null) ? null : true;
}

/** @returns null when the receiver did not answer, or could not look at the request */
async function isAccepted(
  subscription: Receiver,
  signing: Signing,
  deadline: number,
): Promise<boolean | null> {
  const left = Math.max(0, Math.min(timeoutMs, deadline - Date.now()));
  const event = testEvent(subscription, testEventType);
  const { attempt } = await sendAs(subscription.url, event, signing, { timeoutMs: left });
  const status = attempt.http_status;
  if (status === null || notHandled.has(status)) return null;
  return status >= 200 && status < 300;
}
