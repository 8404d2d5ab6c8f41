import type { Secrets } from '../../../lib/webhooks/model/secrets.ts';
import type { SendResult } from '../../../lib/webhooks/sending/send.ts';

/** A request that a receiver has got. */
interface Arrival {
  url: string;
  body: string;
  /** Milliseconds of virtual time. */
  at: number;
}

/** A connection with its TLS, and the answer. */
export const answerMs = 60;

/** The answers of bad receivers, by the beginning of their path. */
export const badAnswers = {
  hangs: { duration_ms: 15_000, http_status: null, outcome: 'timeout' },
  fails: { duration_ms: answerMs, http_status: 500, outcome: 'http_error' },
  refuses: { duration_ms: 5, http_status: null, outcome: 'connection_error' },
} as const;

/** The receivers of webhooks. All that are not bad answer 200 after `answerMs`; only these note what arrives. */
export const receivers = {
  arrivals: [] as Arrival[],
  /** One in this many answers takes `blipMs`; 0 for none. */
  blipEvery: 0,
  answers: 0,
  /** Answers in place of all of these. */
  answer: undefined as
    | undefined
    | ((url: string, event: { id: string; body: string }, secrets: Secrets) => Promise<SendResult>),
};

export const blipMs = 700;
