import { readMany } from '../../dynamodb/batch.ts';
import { env, required } from '../../env.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { type State, toState } from '../item.ts';
import { pointerKey, recordKey } from '../keys.ts';
import { positionOf } from '../position.ts';

/** The records of an account with these external ids, by external id. Strongly consistent. */
export async function findByExternalId<R extends Stored>(
  collection: Collection<R>,
  account: string,
  externalIds: readonly string[],
): Promise<Map<string, State<R>>> {
  const ref = { account, type: collection.type };
  const table = required(env.recordsTable);
  const pointers = await readMany(
    table,
    externalIds.map((externalId) => pointerKey(ref, externalId)),
  );
  const positions = pointers.map(({ id }) => positionOf(collection.prefix, id as string) as number);
  const items = await readMany(
    table,
    positions.map((position) => recordKey(ref, position)),
  );
  const states = items.map((item) => toState(collection, item));
  return new Map(states.map((state) => [state.record.external_id as string, state]));
}
