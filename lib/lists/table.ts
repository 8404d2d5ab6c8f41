/**
 * The Index table: the index of filters, and the feed of changes. The function indexChanges writes both, indexDeferredChanges
 * the sets that it has deferred, and indexDeliveries the sets of deliveries. The index can be rebuilt from the records and the deliveries;
 * the feed cannot. Partition keys begin with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>#<field>=<value>#<group>   <chunk>            the positions of the records with this value
 *   <account>#<type>#<field>/<level>           <bucket>#<chunk>   the positions of the records with a time in this month, day or hour
 *   <account>#<type>#late                      <minute>#<minute>  changes since the second minute came into the index late, in the first
 *
 *   <account>#<type>#filters                   complete           { filter_<name>: … }: the filters whose sets have all records, each with what it is made of
 *
 *   <account>#<subscription>#<field>=<value>#<group>  <chunk>     the positions of the deliveries with this value in the log of a subscription
 *
 *   <account>#changes                          head               { count, days, types, by }: the length of the feed, the first number of each day, and what the last block has
 *   <account>#changes                          <number>           a page of the feed, at the number of its first change
 *   <account>#changes#types                    <block>            { types, by }: the types of the changes in a full block of 1,000 numbers, and the key that made all of a type
 *   <account>#numbered#<type>                  <records>          the highest numbered version of each of 128 records
 *   <account>#numbered#subscription            <subscription>     the highest numbered version of a subscription
 *
 *   <account>#deferred                         <time>#<message>   a message of deferred changes is on its way: no change since this time may be in the sets
 *
 *   #collections                               <account>#<type>   a collection that has records: verify and repair go through them
 *   #verification                              progress           how far the scheduled verification is
 *
 * A chunk is a range of 6,400 positions, and a group is 160 chunks. An item with positions has a `version`, which each write
 * raises; maintain.ts says why. It is not deleted when it has no positions any more. One with positions of deliveries expires after
 * the last of them.
 */
export const indexTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Pages of the feed, sets of deliveries, and notes of deferred changes and of late changes have it. */
  timeToLive: 'ttl',
} as const;
