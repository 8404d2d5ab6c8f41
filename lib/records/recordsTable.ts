/** The number of partitions that consecutive blocks of positions rotate through, so that a bulk write or a busy page loads more than one. */
export const partitionCount = 16;

/**
 * Returns the partition key of an account's system events. An IAM policy allows it to functions that write no other item of this table, with
 * `*` for the account.
 */
export const noticesPartition = (account: string) => `${account}#notices`;

/**
 * Returns the partition key of a deleted record's redaction, which is in the Webhooks table (deletion/redaction.ts). An IAM policy allows it to
 * functions that write no other item of that table.
 */
export const redactionPartition = (account: string, record: string) => `${account}#redacted#${record}`;

/**
 * The Records table. Every partition key but the last begins with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>                  counter            { count, at, has_deleted }: how many positions the collection has, when its last
 *                                                        records were created, and whether some may be deleted;
 *                                                        { leader, leads_until, wait_ms }: who commits the queue (commitQueue/leader.ts)
 *   <account>#<type>                  deleted            { count }: how many positions are deleted
 *   <account>#<type>#<partition>      <position>         a record, at its position, or what is left of a deleted one
 *   <account>#<type>#deleted#<group>  <chunk>            { members, rev }: the deleted positions of a chunk
 *   <account>#<type>#external#<id>    pointer            which record has this external id
 *   <account>#<type>#source#<hash>    pointer            which record has this id of the product, and its last deletion: see source.ts
 *   <account>#<type>#source#<hash>    <record>           a record that names this one by its id, or by that of the product: see inbox/storeMessages.ts
 *   <account>#<type>#queue#<part>     <ticket>           a draft that waits to be committed, or a bulk that waits to lead; tickets sort by time
 *   <account>#<type>#outcome#<ticket>  outcome           what became of a queued draft, or that its process leads next
 *   <account>#idempotency#<name>      answer             the answer of a request that may be repeated
 *   <account>#notices                 <subject>          the last change of something that is not a record: see notice.ts
 *   #database#<id>                    progress           { beat, keys }: how far a database of the product has come
 */
export const recordsTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Kept responses have it. Tickets and outcomes also have it, in case a crash leaves them behind. */
  timeToLive: 'ttl',
} as const;
