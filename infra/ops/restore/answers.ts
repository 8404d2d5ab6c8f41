import { isDeepStrictEqual } from 'node:util';
import { putInPlaceOf } from './conditions.ts';
import type { Item, Plan } from './restoration.ts';

/** What is written once and never changed, as the answers to requests that may be repeated: what is here counts. */
export function planUnlessThere(to: string, restored: Item, living: Item | undefined): Plan {
  if (living) return isDeepStrictEqual(living, restored) ? 'same' : 'kept';
  return { actions: [putInPlaceOf(to, undefined, restored)] };
}
