declare const made: unique symbol;

/**
 * A text without anything that a client sent: it may be logged, and kept where an erasure does not reach. The compiler refuses a
 * plain string in its place.
 */
export type Constant = string & { readonly [made]: true };

/**
 * @example constant`must be at most ${max} bytes`
 * @param values numbers and constants, and words of ours as `ours` marks them
 */
export const constant = (texts: TemplateStringsArray, ...values: readonly (number | Constant)[]): Constant =>
  String.raw({ raw: texts }, ...values) as Constant;

/** A word of the contract or of this code, such as a scope or the name of a type. Never anything that came with a request. */
export const ours = (word: string): Constant => word as Constant;
