/**
 * The Usage table: what keys did, and which requests failed, according to the access log. It contains nothing that a client sent. An hour is
 * `2026-03-01T09`, a day `2026-03-01`, both UTC. A secret is named by the first characters of its SHA-256.
 *
 *   use#<account>#<key>   hour#<hour>#<shard>   counts of an hour, for 35 days. Batches of log lines write to different shards
 *   use#<account>#<key>   day#<day>             the sum of the hours of a past day, for 400 days
 *   keys#<account>        <key>#<secret>        a secret that was used, and the hour of its last use
 *   keys#<account>        <key>#                a key that was refused because it has ended
 *   days#<day>#<part>     <account>#<key>       a key that was used on a day, for 35 days
 *   fail#<account>        <time>#<request>      a failed request, for 14 days
 *   lost#<account>        <hour>#<key>#<shard>  how many further requests failed, for 14 days
 *   summary#days          progress              the day that is being summed up
 *
 * `n:listContacts:2xx:11` counts the requests of an operation by status class and step of duration (`stepOf`). `used:<secret>` is the set of
 * the minutes of an hour in which a secret was used.
 */
export const usageTable = { partitionKey: 'pk', sortKey: 'sk', timeToLive: 'ttl' } as const;
