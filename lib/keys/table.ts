/**
 * The Keys table. A key and its secrets are written in one transaction.
 *
 *   <key>    a key, under its id: what it is and may do, and the hashes of its secrets; ops work on these
 *   <hash>   a secret, under the SHA-256 of the key: a copy of what the authorizer must know, so that it needs one read
 *   account#<account>   an account that is suspended, or has been: since when
 *
 * The index lists the keys of an account. It holds whole items: without `scopes`, every scoped key would look
 * like one with full access. Only keys have an account and `created_at`, so the index holds keys alone.
 */
export const keysTable = {
  partitionKey: 'pk',
  byAccount: { name: 'by-account', partitionKey: 'account_id', sortKey: 'created_at' },
} as const;

/** Where the suspension of an account is. No key and no secret has an id with this separator. */
export const suspensionPartition = (account: string): string => `account#${account}`;
