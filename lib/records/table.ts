/**
 * The Records table. Every partition key begins with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>                  head               { count }: the length of the collection
 *   <account>#<type>#<lane>           <position>         a record, at its position
 *   <account>#<type>#external#<id>    pointer            which record has this external id
 *   <account>#<type>#queue            <ticket>           who waits to be placed, in the order of their coming
 *   <account>#<type>#draft#<ticket>   draft              what waits to be placed, and later what became of it
 *   <account>#idempotency#<name>      answer             the answer of a request that may be repeated
 */
export const recordsTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Answers have it, and what waits in case that nobody removes it. */
  timeToLive: 'ttl',
} as const;
