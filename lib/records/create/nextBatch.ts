import { actionsMax, transactionBytesMax } from '../../dynamodb/transact.ts';
import type { Stored } from '../collection.ts';
import type { Draft } from './draft.ts';
import { actionsFor } from './placement.ts';

/**
 * Those of `all` that go into the next transaction: as many as it can carry, from the front, and at least one. Of two drafts
 * with one external id, or of one request, only the first, because a transaction cannot touch an item twice; the other
 * then finds out that it came second.
 * @param extra how many actions each takes besides those that place it
 */
export function nextBatch<One extends { draft: Draft<Stored> }>(all: readonly One[], extra: number): One[] {
  const batch: One[] = [];
  const names = new Set<string>();
  // One action moves the head.
  let [actions, bytes] = [1, 0];
  for (const one of all) {
    const { draft } = one;
    const own = namesOf(draft);
    if (own.some((name) => names.has(name))) continue;
    actions += actionsFor(draft) + extra;
    bytes += bytesOf(draft) * (1 + extra);
    if (batch.length > 0 && (actions > actionsMax || bytes > transactionBytesMax)) break;
    for (const name of own) names.add(name);
    batch.push(one);
  }
  return batch;
}

/** What no two drafts of a transaction may share. */
const namesOf = ({ content, once }: Draft<Stored>): string[] => [
  ...(content.external_id === null ? [] : [`external ${content.external_id}`]),
  ...(once === undefined ? [] : [`request ${once.name}`]),
];

/** An answer that is kept is the content once more. */
const bytesOf = ({ content, once }: Draft<Stored>): number =>
  Buffer.byteLength(JSON.stringify(content)) * (once === undefined ? 1 : 2);
