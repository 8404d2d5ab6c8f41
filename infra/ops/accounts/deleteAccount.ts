import { setTimeout as sleep } from 'node:timers/promises';
import { deleteMany, untilDone } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import type { Connection } from '../connection.ts';
import { flush } from '../keys/flush.ts';
import { scan } from '../scan.ts';

/** What a deletion has done. */
interface Deletion {
  /** how many items of each table were deleted. */
  deleted: Record<string, number>;
  flushed: boolean;
  /** Whether the last search found nothing. */
  complete: boolean;
}

/**
 * Deletes all items of an account in all tables. What was under way meanwhile may write some anew, so it searches until it finds nothing,
 * `lateMs` after it has found something. It can be run again at any time.
 */
export async function deleteAccount(
  account: string,
  connection: Pick<Connection, 'flushAuthorizers' | 'authorizerMs' | 'lateMs'>,
  stopped: AbortSignal,
): Promise<Deletion> {
  const deletion: Deletion = { deleted: {}, flushed: true, complete: false };
  while (!deletion.complete && !stopped.aborted) {
    let found = 0;
    for (const { variable, filter } of ownedBy(account)) {
      const table = required(variable);
      const count = await deleteFound(table, filter, stopped);
      found += count;
      deletion.deleted[table] = (deletion.deleted[table] ?? 0) + count;
      // Also when there was none: a run that was killed may have deleted it.
      if (variable === env.keysTable)
        deletion.flushed = (await flush(connection, { taken: true })) && deletion.flushed;
    }
    deletion.complete = found === 0 && !stopped.aborted;
    if (found > 0) await sleep(connection.lateMs);
  }
  return deletion;
}

/** @returns how many items were found */
async function deleteFound(table: string, filter: object, stopped: AbortSignal): Promise<number> {
  let count = 0;
  const reading = {
    table,
    filter: { ...filter, ConsistentRead: true },
    onRead: () => {},
    stopped,
  };
  // What is being deleted is deleted to the end.
  const never = new AbortController().signal;
  await scan(reading, async (items) => {
    // The keys have no sort key.
    const keys = items.map(
      ({ pk, sk }): Record<string, string> =>
        sk === undefined ? { pk: String(pk) } : { pk: String(pk), sk: String(sk) },
    );
    await untilDone(keys, (rest) => deleteMany(table, rest, never));
    count += items.length;
  });
  return count;
}

type Variable = (typeof env)[keyof typeof env];

/** A filter of a scan. */
interface ItemFilter {
  FilterExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Record<string, string>;
}

/** The values that filters compare with. An account has no separator in its name, so no account's root begins with another's. */
const valuesFor = (account: string) => ({
  ':account': account,
  ':root': `${account}#`,
  ':marked': `account#${account}`,
  ':use': `use#${account}#`,
  ':keys': `keys#${account}`,
  ':fail': `fail#${account}`,
  ':lost': `lost#${account}`,
  ':days': 'days#',
  ':collections': '#collections',
  ':verification': '#verification',
});

/**
 * Which items of each table belong to an account, by the variable with the name of the table. The sessions and the keys come first:
 * after that, nobody can make anything of the account by a request. The subscriptions are next, so no more events are made.
 */
const filters: readonly [variable: Variable, filter: string][] = [
  [env.sessionsTable, '#account = :account OR pk = :marked OR begins_with(pk, :root)'],
  [env.keysTable, 'account_id = :account OR pk = :marked'],
  [env.webhooksTable, 'begins_with(pk, :root)'],
  [env.recordsTable, 'begins_with(pk, :root)'],
  [
    env.indexTable,
    'begins_with(pk, :root) OR (pk = :collections AND begins_with(sk, :root))' +
      // The verification that is under way begins anew.
      ' OR (pk = :verification AND (#pass.#next.#from.#ref.#account = :account' +
      ' OR begins_with(#pass.#next.#from.pk, :root) OR begins_with(#pass.#next.#from.sk, :root)))',
  ],
  [
    env.usageTable,
    'begins_with(pk, :use) OR pk IN (:keys, :fail, :lost) OR (begins_with(pk, :days) AND begins_with(sk, :root))',
  ],
  [env.activityTable, 'pk = :account'],
];

/** What finds the items of an account in each table. */
const ownedBy = (account: string): { variable: Variable; filter: ItemFilter }[] =>
  filters.map(([variable, expression]) => {
    const names = [...new Set(expression.match(/#\w+/g))].map((name) => [name, name.slice(1)]);
    const values = Object.entries(valuesFor(account)).filter(([name]) =>
      new RegExp(`${name}\\b`).test(expression),
    );
    return {
      variable,
      filter: {
        FilterExpression: expression,
        // DynamoDB refuses empty ones.
        ...(names.length > 0 ? { ExpressionAttributeNames: Object.fromEntries(names) } : {}),
        ExpressionAttributeValues: Object.fromEntries(values),
      },
    };
  });
