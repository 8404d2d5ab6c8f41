/** An answer that was given before, to the request that this one repeats. */
export class Replayed<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}
