/** The answer of an operation that creates a record if there is none, when it has created it. */
export class CreatedAnswer<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}
