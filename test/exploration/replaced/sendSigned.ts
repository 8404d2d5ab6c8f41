import type { SendResult } from '../../../lib/webhooks/sending/send.ts';
import { act } from '../engine/facts.ts';
import { presentTime } from '../engine/world.ts';
import { receiver } from './receiver.ts';

// lib/webhooks/sending/send.ts, without a network: the receiver of the exploration gets the request in one moment, and answers in another.

export const deadlineMs = 15_000;

export async function sendSigned(_url: string, event: { id: string }): Promise<SendResult> {
  const begunAt = presentTime();
  const started_at = new Date(begunAt).toISOString();
  await act(`POST ${event.id}`, () => receiver.begins(begunAt));
  const http_status = (await act(`answer to ${event.id}`, () => receiver.ends())) as number;
  const outcome = http_status < 300 ? 'success' : 'http_error';
  return {
    attempt: { started_at, duration_ms: 600, http_status, outcome, reason: null, response_excerpt: null },
    retryAfter: undefined,
  };
}
