/**
 * Returns the partition key of an account's signing secrets. IAM policies deny this name, with `*` for the account. No other partition key may
 * end like it.
 */
export const secretsPartition = (account: string) => `${account}#secrets`;

/**
 * The Webhooks table. Every partition key but one begins with the account, so no expression can reach another account's items.
 *
 *   <account>#subscriptions          <subscription>   a subscription, its health, the length of its log, and its recovery over what is held there
 *   <account>#subscriptions          count            { count }: how many subscriptions there are
 *   <account>#secrets                <subscription>   the secrets that sign for it
 *   <account>#urls                   <hash>           { id }: the one subscription that has the URL with this SHA-256
 *   <account>#suspension             suspension       { suspended_at } while nothing is sent; or { resumed_at }
 *   #blocked-hosts                   <host>           { blocked_at }: a host to which nothing is sent, for any account; the list of them
 *   #blocked-host#<host>             host             { blocked_at }: the same, which each attempt reads
 *   <account>#stopped-hosts          <host>           { host } while the operator lets the account not subscribe it; or { resumed_at }
 *   <account>#deleted                <subscription>   the extent of the log of a deleted subscription
 *   <account>#event#<event>          event            the body of an event, serialised once
 *   <account>#redacted#<record>      redaction        { left, stuck, turns }: the record was deleted, and how far the redaction of its events is
 *   <account>#<subscription>#<partition>  <position>       a delivery, at its position in the log
 *   <account>#<subscription>         <redelivery>     a bulk redelivery: what it sends again, and how far it is
 *   <account>#<subscription>         redelivery       { redelivery }: the bulk redelivery that runs
 *   <account>#<subscription>         pace             the time up to which slots for attempts are reserved
 *   <account>#idempotency#<name>     answer           the answer of a request that may be repeated
 */
export const webhooksTable = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. */
  timeToLive: 'ttl',
  /**
   * The due index: deliveries that wait for a time, subscriptions with held deliveries, and running redeliveries. The sweep reads all of its
   * partitions every minute, in the order of `enqueue_at`.
   */
  due: {
    name: 'due',
    partitionKey: 'due_partition',
    sortKey: 'enqueue_at',
    projected: ['id', 'next_attempt_at'],
  },
  /** The keys of subscriptions and of stopped hosts, by host, for the operator. */
  byHost: { name: 'by-host', partitionKey: 'host', sortKey: 'pk' },
} as const;
