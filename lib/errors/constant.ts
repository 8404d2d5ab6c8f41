declare const made: unique symbol;

/**
 * A text that contains nothing from a client, so it may be logged and kept where erasures do not reach. The compiler refuses a plain string in
 * its place.
 */
export type Constant = string & { readonly [made]: true };

/** @example constant`must be at most ${max} bytes` @param values numbers, constants, and our own words, marked with `ours` */
export const constant = (texts: TemplateStringsArray, ...values: readonly (number | Constant)[]): Constant =>
  String.raw({ raw: texts }, ...values) as Constant;

/** Marks a word of the contract or of this code, such as a scope or the name of a type. Never use it for anything from a request. */
export const ours = (word: string): Constant => word as Constant;

/** A sentence for a client, and the part of it to keep, which contains nothing from a client. */
export interface Said {
  shown: string;
  kept: Constant;
}

interface Theirs {
  theirs: string;
}

/** Marks a text that a client sent or stored, or that follows from such a text. The kept sentence has `…` in its place. */
export const theirs = (text: string): Theirs => ({ theirs: text });

/** @example said`No ${ours(resource)} has the id ${theirs(quoted(id))}` */
export function said(texts: TemplateStringsArray, ...values: readonly (number | Constant | Theirs)[]): Said {
  const filled = (of: (given: Theirs) => string): string =>
    String.raw({ raw: texts }, ...values.map((value) => (typeof value === 'object' ? of(value) : value)));
  return { shown: filled((given) => given.theirs), kept: filled(() => '…') as Constant };
}

export const saidOf = (text: Constant | Said): Said =>
  typeof text === 'string' ? { shown: text, kept: text } : text;
