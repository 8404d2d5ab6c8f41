/**
 * The Sessions table of the console. The code of a link and the cookie of a session are not in it, only their SHA-256; an actor is
 * the SHA-256 of its id.
 *
 *   <hash>              code                     a link that was not used yet
 *   <hash>              session                  a session
 *   account#<account>   <actor>#<hash>           a pointer to a link or a session, by which all of an account are found
 *   <account>#idempotency#<name>   answer        the kept answer of a request, without a secret
 */
export const sessionsTable = { partitionKey: 'pk', sortKey: 'sk', timeToLive: 'ttl' } as const;
