import type { Secrets } from '../../../lib/webhooks/model/secrets.ts';
import type { SendResult } from '../../../lib/webhooks/sending/send.ts';
import { elapsedMs, sleep } from '../virtualTime.ts';
import { answerMs, badAnswers, blipMs, receivers } from './receivers.ts';

// lib/webhooks/sending/send.ts, without a network.

export const deadlineMs = 15_000;

export async function sendSigned(
  url: string,
  event: { id: string; body: string },
  secrets: Secrets,
): Promise<SendResult> {
  if (receivers.answer) return receivers.answer(url, event, secrets);
  const { body } = event;
  const started_at = new Date().toISOString();
  const bad = badAnswers[new URL(url).pathname.slice(1).split('-')[0] as keyof typeof badAnswers];
  if (bad) {
    await sleep(bad.duration_ms);
    return { attempt: { started_at, reason: null, response_excerpt: null, ...bad }, retryAfter: undefined };
  }
  receivers.answers += 1;
  const duration_ms = receivers.answers % receivers.blipEvery === 0 ? blipMs : answerMs;
  await sleep(duration_ms);
  receivers.arrivals.push({ url, body, at: elapsedMs() });
  return {
    attempt: {
      started_at,
      duration_ms,
      http_status: 200,
      outcome: 'success',
      reason: null,
      response_excerpt: null,
    },
    retryAfter: undefined,
  };
}
