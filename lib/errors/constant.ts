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

/** A sentence for a client, and what is kept of it, which has nothing that a client sent. */
export interface Said {
  shown: string;
  kept: Constant;
}

interface Theirs {
  theirs: string;
}

/** What a client sent or has stored, or what follows from it. What is kept of the sentence has `…` in its place. */
export const theirs = (text: string): Theirs => ({ theirs: text });

/** @example said`No ${ours(resource)} has the id ${theirs(quoted(id))}` */
export function said(texts: TemplateStringsArray, ...values: readonly (number | Constant | Theirs)[]): Said {
  const filled = (of: (given: Theirs) => string): string =>
    String.raw({ raw: texts }, ...values.map((value) => (typeof value === 'object' ? of(value) : value)));
  return { shown: filled((given) => given.theirs), kept: filled(() => '…') as Constant };
}

export const saidOf = (text: Constant | Said): Said =>
  typeof text === 'string' ? { shown: text, kept: text } : text;
