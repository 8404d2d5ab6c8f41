/** The receiver of webhooks, as a scenario sets it. */
export const receiver = {
  /** A request has come that was begun at this time: nothing happens between a check and the request that follows it. */
  begins: (_begunAt: number): unknown => undefined,
  /** It is answered. @returns the status */
  ends: (): number => 200,
};
