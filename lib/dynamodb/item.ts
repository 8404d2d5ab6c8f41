/** An item as it is stored, and its key. */
export type Item = Record<string, unknown>;
export type Key = Record<string, string>;

/** Names an item among those of its table. */
export const nameOf = ({ pk, sk }: { readonly [attribute: string]: unknown }): string => `${pk} ${sk}`;
