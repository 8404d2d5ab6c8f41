declare const made: unique symbol;

/**
 * A text without anything of a client: it may be logged, counted and kept where an erasure does not reach. A plain string is none to
 * the compiler. `constant` makes one; so does the schema of a contract, whose rules exist before any input (values/contractRules.ts).
 */
export type Constant = string & { readonly [made]: true };

/**
 * @example constant`must be at most ${max} bytes`
 * @param values numbers and constants, and words of ours as `ours` marks them
 */
export const constant = (
  texts: TemplateStringsArray,
  ...values: readonly (number | Constant)[]
): Constant => String.raw({ raw: texts }, ...values) as Constant;

/** A word of the contract or of this code, such as a scope or the name of a type. Never anything that came with a request. */
export const ours = (word: string): Constant => word as Constant;
