/**
 * The Activity table records who did what. Entries are put once, and no function may change or delete them.
 *
 *   <account>   <at>#<subject>#<revision>   an entry about a key, a webhook subscription, a link, or the start or end of a session
 *
 * The index contains complete entries about each key, because an account may have many more entries about other things. `at` is RFC 3339 UTC,
 * and the subject depends on the entry:
 * - For a key, it is the key's id. The revision is the one that the change created, so a key at revision 5 has five entries.
 * - For a subscription, it is the subscription's id. The revision is the version that it had at the time.
 * - For a session, it is the public id. The revision is 1 for the start and 2 for the end.
 */
export const activityTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  byKey: { name: 'by-key', partitionKey: 'key_id', sortKey: 'sk' },
} as const;
