/**
 * Where the secrets are that sign for an account. Roles are refused this partition by its name, with `*` for the account, so
 * no other key may end like this one.
 */
export const secretsPartition = (account: string) => `${account}#secrets`;

/**
 * The Webhooks table. Every partition key begins with the account, so no expression can reach another account's items.
 *
 *   <account>#subscriptions          <subscription>   a subscription, its health, and how long its log of deliveries is
 *   <account>#subscriptions          count            { count }: how many subscriptions there are
 *   <account>#secrets                <subscription>   the secrets that sign for it
 *   <account>#urls                   <hash>           { id }: the one subscription that has the URL with this SHA-256
 *   <account>#suspension             suspension       { suspended_at }: nothing is sent; or { resumed_at }
 *   <account>#deleted                <subscription>   what its log needs of one that was deleted
 *   <account>#event#<event>          event            what happened, serialised once: whole, and with ids only
 *   <account>#<subscription>#<lane>  <position>       a delivery, at its position in the log
 *   <account>#<subscription>         wake             the order to wake up the deliveries that rest
 *   <account>#idempotency#<name>     answer           the answer of a request that may be repeated
 */
export const webhooksTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. */
  timeToLive: 'ttl',
  /**
   * What waits: `due#<shard>` is looked through by the sweep every minute, in the order of `ring_at`, and
   * `rest#<account>#<subscription>` when the subscription is active again. An item that waits for nothing is not in it.
   */
  waiting: {
    name: 'waiting',
    partitionKey: 'waiting',
    sortKey: 'ring_at',
    projected: ['id', 'looks', 'next_attempt_at'],
  },
  /** The keys of subscriptions by the host that they lead to, for the operator. Nothing else has a `host`. */
  byHost: { name: 'by-host', partitionKey: 'host', sortKey: 'pk' },
} as const;
