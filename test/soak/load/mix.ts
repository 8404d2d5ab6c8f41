import type { Random } from '../../simulation/random.ts';
import { batch } from './batches.ts';
import { create, createAgain, createOnce, createTwice, type Work } from './creates.ts';
import { filter, get, getIfNoneMatch, list } from './reads.ts';
import { createByExternalId, replace, update, updateIfMatch, updateOutdated } from './updates.ts';

/** The kinds of work, and how many of a hundred are of each kind: most programs read more than they write. */
const mix: readonly (readonly [Work, number])[] = [
  [get, 45],
  [getIfNoneMatch, 5],
  [list, 12],
  [filter, 9],
  [create, 8],
  [createOnce, 1],
  [createTwice, 1],
  [createAgain, 2],
  [update, 7],
  [updateIfMatch, 3],
  [updateOutdated, 1],
  [replace, 3],
  [createByExternalId, 2],
  [batch, 1],
];

const kinds: readonly Work[] = mix.flatMap(([work, weight]) => Array<Work>(weight).fill(work));

export const someWork = (random: Random): Work => kinds[random.below(kinds.length)] as Work;
