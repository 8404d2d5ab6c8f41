import type { Answered } from '../dynamodb/idempotency.ts';

/** An answer that was given before, to the request that this one repeats. */
export class Replayed<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** An answer as an endpoint gives it. */
export const asAnswer = <Body>({ body, replayed }: Answered<Body>): Body | Replayed<Body> =>
  replayed ? new Replayed(body) : body;
