import type { SendResult } from '../../../lib/webhooks/sending/sendSigned.ts';
import { elapsedMs, sleep } from '../virtualTime.ts';
import { answerMs, receivers } from './receivers.ts';

// lib/webhooks/sending/sendSigned.ts, without a network.

export async function sendSigned(url: string, { body }: { id: string; body: string }): Promise<SendResult> {
  const started_at = new Date().toISOString();
  await sleep(answerMs);
  receivers.arrivals.push({ url, body, at: elapsedMs() });
  return {
    attempt: {
      started_at,
      duration_ms: answerMs,
      http_status: 200,
      outcome: 'success',
      response_excerpt: null,
    },
    retryAfter: undefined,
  };
}
