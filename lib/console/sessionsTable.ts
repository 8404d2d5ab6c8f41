/**
 * The Sessions table of the console. It contains only the SHA-256 of a link's code, of a session's cookie, and of an actor's id.
 *
 *   <hash>              code                     an unused link
 *   <hash>              session                  a session
 *   account#<account>   <actor>#<hash>           a pointer to a link or a session, which finds all of an account
 *   <account>#idempotency#<name>   answer        the stored response to a request, without a secret
 */
export const sessionsTable = { partitionKey: 'pk', sortKey: 'sk', timeToLive: 'ttl' } as const;
