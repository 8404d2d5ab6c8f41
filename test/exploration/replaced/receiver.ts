/** The receiver of webhooks, as a scenario sets it. */
export const receiver = {
  /** A request has come. */
  begins: (): unknown => undefined,
  /** It is answered. @returns the status */
  ends: (): number => 200,
};
