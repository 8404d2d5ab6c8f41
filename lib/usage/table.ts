/**
 * The Usage table: what keys did, and what went wrong, by the access log. Nothing that a client sent is in it. An hour is
 * `2026-03-01T09`, a day `2026-03-01`, both UTC; a secret is named by the first characters of its SHA-256.
 *
 *   use#<account>#<key>   hour#<hour>#<shard>   counts of an hour; for 35 days. Batches of log lines write the shards at the same time
 *   use#<account>#<key>   day#<day>             the sum of the hours of a day that is over; for 400 days
 *   keys#<account>        <key>#<secret>        a secret that was used, and the hour of its last use
 *   keys#<account>        <key>#                a key that was refused because it has ended
 *   days#<day>#<part>     <account>#<key>       a key that was used on a day; for 35 days
 *   fail#<account>        <time>#<request>      a request that failed; for 14 days
 *   lost#<account>        <hour>#<key>#<shard>  how many more failed than are kept; for 14 days
 *   summary#days          progress              the day that is being summed up
 *
 * `n:listContacts:2xx:11` is the number of requests of an operation that were answered with a class of status in a step of time
 * (`stepOf`). `used:<secret>` is the set of the minutes of an hour in which a secret was used.
 */
export const usageTable = { partitionKey: 'pk', sortKey: 'sk', timeToLive: 'ttl' } as const;
