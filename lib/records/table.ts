// Loaded by CDK, which makes the table, and by the Lambdas that use it: imports nothing.

/**
 * The Records table. Every partition key begins with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>                  head               { count }: the length of the collection
 *   <account>#<type>#<lane>           <position>         a record, at its position
 *   <account>#<type>#external#<id>    pointer            which record has this external id
 *   <account>#<type>#room             <ticket>           the queue of drafts that wait to be placed
 *   <account>#<type>#draft#<ticket>   draft              such a draft
 */
export const recordsTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds; only what waits has it, in case that nobody removes it. */
  timeToLive: 'ttl',
} as const;
