import { env } from '../../../lib/env.ts';

type Variable = (typeof env)[keyof typeof env];

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
      // The verification that is under way starts over.
      ' OR (pk = :verification AND (#pass.#next.#from.#ref.#account = :account' +
      ' OR begins_with(#pass.#next.#from.pk, :root) OR begins_with(#pass.#next.#from.sk, :root)))',
  ],
  [
    env.usageTable,
    'begins_with(pk, :use) OR pk IN (:keys, :fail, :lost) OR (begins_with(pk, :days) AND begins_with(sk, :root))',
  ],
  [env.activityTable, 'pk = :account'],
];

/** Finds the items of an account in each table. */
export const ownedBy = (account: string) =>
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
