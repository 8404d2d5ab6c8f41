import { env } from '../../../lib/env.ts';

type Variable = (typeof env)[keyof typeof env];

/** Returns the values that filters compare with. An account's name contains no separator, so no account's root begins with another's. */
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
 * The filters for the items of an account in each table, by the variable with the name of the table. Sessions and keys come first, because
 * after that no request can create anything in the account. Subscriptions are next, so no more events are created.
 */
const filters: readonly [variable: Variable, filter: string][] = [
  [env.sessionsTable, '#account = :account OR pk = :marked OR begins_with(pk, :root)'],
  [env.keysTable, 'account_id = :account OR pk = :marked'],
  [env.webhooksTable, 'begins_with(pk, :root)'],
  [env.recordsTable, 'begins_with(pk, :root)'],
  [
    env.indexTable,
    'begins_with(pk, :root) OR (pk = :collections AND begins_with(sk, :root))' +
      // A verification in progress starts again.
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
        // DynamoDB rejects an empty ExpressionAttributeNames.
        ...(names.length > 0 ? { ExpressionAttributeNames: Object.fromEntries(names) } : {}),
        ExpressionAttributeValues: Object.fromEntries(values),
      },
    };
  });
