/** A request that a receiver has got. */
interface Arrival {
  url: string;
  body: string;
  /** Milliseconds of virtual time. */
  at: number;
}

/** A connection with its TLS, and the answer. */
export const answerMs = 60;

/** The receivers of webhooks. All answer 200 after `answerMs`. */
export const receivers = { arrivals: [] as Arrival[] };
