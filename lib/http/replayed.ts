import type { IdempotentAnswer } from '../dynamodb/idempotency.ts';

/** The answer to an earlier request that this one repeats. */
export class ReplayedAnswer<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** The answer of an endpoint. */
export const asAnswer = <Body>({ body, replayed }: IdempotentAnswer<Body>): Body | ReplayedAnswer<Body> =>
  replayed ? new ReplayedAnswer(body) : body;
