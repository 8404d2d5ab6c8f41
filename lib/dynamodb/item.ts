/** An item as it is stored, and its key. */
export type Item = Record<string, unknown>;
export type Key = Record<string, string>;

/** Returns a name for an item that is unique in its table. */
export const nameOf = ({ pk, sk }: { readonly [attribute: string]: unknown }): string => `${pk} ${sk}`;
