import { keyOf } from '../records/origin.ts';
import type { Entry } from './entry.ts';

/** What a block has. */
export interface BlockContent {
  types: readonly string[];
  /** The key that made all changes of a type, by the type; a type of which others made some is left out. */
  by: Readonly<Record<string, string>>;
}

/** @param item a summary */
export const contentOf = ({ types, by }: Record<string, unknown>): BlockContent => ({
  types: types as string[],
  by: (by ?? {}) as BlockContent['by'],
});

export const nothing: BlockContent = { types: [], by: {} };

/** What a block has after more changes. */
export function contentWith({ types, by }: BlockContent, added: readonly Entry[]): BlockContent {
  const known = new Set(types);
  const makers = new Map(Object.entries(by));
  for (const { type, origin } of added) {
    const maker = keyOf(origin);
    if (!known.has(type) && maker !== undefined) makers.set(type, maker);
    else if (makers.get(type) !== maker) makers.delete(type);
    known.add(type);
  }
  return { types: [...known].sort(), by: Object.fromEntries(makers) };
}
