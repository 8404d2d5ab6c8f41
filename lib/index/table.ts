/**
 * The Index table. All of it is made from the changes of records, by the function indexChanges. Every partition key of
 * an account's items begins with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>#<field>=<value>#<group>   <chunk>            the positions of the records with this value
 *   <account>#<type>#<field>/<level>           <bucket>#<chunk>   the positions of the records with a time in this month, day or hour
 *   <account>#<type>#created                   <hour>             { first }: the first position that was created in this hour
 *
 *   #collections                               <account>#<type>   a collection that has records: verify and repair go through them
 *   #verification                              progress           how far the scheduled verification is
 *
 * A chunk is a range of 6,400 positions, and a group is 128 chunks. An item with positions has a `version`, which each write
 * raises; maintain.ts says why. It is never deleted, also when it has no positions any more.
 */
export const indexTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. */
  timeToLive: 'ttl',
} as const;
