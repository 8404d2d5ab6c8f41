/**
 * The Index table: the index of filters, and the feed of changes. The function indexChanges writes both, indexDeferredChanges writes the sets
 * that it has deferred, and indexDeliveries the sets of deliveries. The index can be rebuilt from the records and the deliveries; the feed
 * cannot. Partition keys begin with the account, so no expression can reach another account's items.
 *
 *   <account>#<type>#<field>=<value>#<group>   <chunk>            the positions of the records with this value
 *   <account>#<type>#<field>/<level>           <bucket>#<chunk>   the positions of records with a time in this month, day or hour
 *   <account>#<type>#late                      <minute>#<minute>  changes since the second minute arrived late, in the first
 *
 *   <account>#<type>#filters                   complete           { filter_<name>: … }: the complete filters, with their sources
 *
 *   <account>#<subscription>#<field>=<value>#<group>  <chunk>     the positions of a subscription's deliveries with this value
 *
 *   <account>#changes                          head               { count, days, types, by }: the head of the feed
 *   <account>#changes                          <number>           a page of the feed, at the number of its first change
 *   <account>#changes#types                    <block>            { types, by }: the summary of a full block of 1,000 numbers
 *   <account>#numbered#<type>                  <records>          the highest numbered version of each of 128 records
 *   <account>#numbered#subscription            <subscription>     the highest numbered version of a subscription
 *
 *   <account>#deferred                         <time>#<message>   a message of deferred changes is on its way
 *
 *   #collections                               <account>#<type>   a collection with records, for verify and repair
 *   #verification                              progress           how far the scheduled verification is
 *
 * A chunk is a range of 6,400 positions, and a group is 160 chunks. An item with positions has a `version`, which each write raises;
 * maintain.ts explains why. It is not deleted when it has no positions left. An item with positions of deliveries expires after the last of
 * them.
 */
export const indexTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Pages of the feed, sets of deliveries, and notes of deferred and late changes expire. */
  timeToLive: 'ttl',
} as const;
