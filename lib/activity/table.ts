/**
 * The Activity table: who did what. Entries are put once, and no function may change or delete one.
 *
 *   <account>   <at>#<subject>#<revision>   an entry: a change of a key or a webhook subscription, a link, the start or the end of a session
 *
 * `at` is RFC 3339 UTC. The subject of a key's change is the id of the key, and the revision is the one that it made: so a key at
 * revision 5 has five entries. The subject of what was done to a subscription is its id, and the revision is the version that it had then. The subject of a session is its public id, and the revision is 1 for its start and 2 for its end.
 *
 * The index has the entries about each key, whole: an account may have many times as many about others.
 */
export const activityTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  byKey: { name: 'by-key', partitionKey: 'key_id', sortKey: 'sk' },
} as const;
