/**
 * The Keys table. One transaction writes a key and its secrets.
 *
 *   <key>    a key, under its id: its description, its access, and the hashes of its secrets; the commands work on these
 *   <hash>   a secret, under the SHA-256 of the key: a copy of what the authorizer needs, so that one read is enough
 *   account#<account>   since when an account is or was suspended
 *
 * The index lists the keys of an account. It contains complete items, because without `scopes` every scoped key would look like one with full
 * access. Only keys have an account and `created_at`, so the index contains nothing else.
 */
export const keysTable = {
  partitionKey: 'pk',
  byAccount: { name: 'by-account', partitionKey: 'account_id', sortKey: 'created_at' },
} as const;

/** The partition with the suspension of an account. No id of a key and no hash contains this separator. */
export const suspensionPartition = (account: string): string => `account#${account}`;
