import { partitionNumber, positionKey, positionOf } from '../../records/position.ts';
import { secretsPartition } from './table.ts';

// Every key pattern of the Webhooks table, on one screen. table.ts explains them.

export const subscriptionsPartition = (account: string) => `${account}#subscriptions`;

export const subscriptionKey = (account: string, id: string) => ({
  pk: subscriptionsPartition(account),
  sk: id,
});

export const countKey = (account: string) => ({ pk: subscriptionsPartition(account), sk: 'count' });

export const secretsKey = (account: string, id: string) => ({
  pk: secretsPartition(account),
  sk: id,
});

export const suspensionKey = (account: string) => ({ pk: `${account}#suspension`, sk: 'suspension' });

/** The list of the hosts that are blocked for all accounts, for the operator. No account has an empty name. */
export const blockedHostsPartition = '#blocked-hosts';

/** A blocked host. Each has a partition, because every attempt reads that of its host. */
export const blockedHostKey = (host: string) => ({ pk: `#blocked-host#${host}`, sk: 'host' });

/** The hosts of the subscriptions of an account that the operator has paused. */
export const stoppedHostsPartition = (account: string) => `${account}#stopped-hosts`;

export const stoppedHostKey = (account: string, host: string) => ({
  pk: stoppedHostsPartition(account),
  sk: host,
});

export const urlKey = (account: string, hash: string) => ({ pk: `${account}#urls`, sk: hash });

export const deletedKey = (account: string, id: string) => ({ pk: `${account}#deleted`, sk: id });

export const eventKey = (account: string, id: string) => ({ pk: `${account}#event#${id}`, sk: 'event' });

/** The partition of a position in a subscription's log. */
export const logPartition = (account: string, subscription: string, position: number) =>
  `${account}#${subscription}#${partitionNumber(position)}`;

export const deliveryKey = (account: string, subscription: string, position: number) => ({
  pk: logPartition(account, subscription, position),
  sk: positionKey(position),
});

export const deliveryPrefix = 'dlv';

/** The key of a delivery by its id, which carries the position; undefined when it is no such id. */
export function deliveryKeyOf(account: string, subscription: string, id: string) {
  const position = positionOf(deliveryPrefix, id);
  return position === undefined ? undefined : deliveryKey(account, subscription, position);
}

export const redeliveryPrefix = 'rdl';

/** Checked before a read: the id of a client is part of a key, and must not reach other items of the table. */
export const isRedeliveryId = (id: string): boolean => /^rdl_[0-9a-z]{24}$/.test(id);

/** A bulk redelivery of a subscription. */
export const redeliveryKey = (account: string, subscription: string, id: string) => ({
  pk: `${account}#${subscription}`,
  sk: id,
});

/** Names the bulk redelivery of a subscription that runs. */
export const runningRedeliveryKey = (account: string, subscription: string) => ({
  pk: `${account}#${subscription}`,
  sk: 'redelivery',
});

export const paceKey = (account: string, subscription: string) => ({
  pk: `${account}#${subscription}`,
  sk: 'pace',
});

/** The account and the subscription of a delivery or a redelivery. No account has the separator in its name. */
export function ownerOf(pk: string): { account: string; subscription: string } {
  const [account = '', subscription = ''] = pk.split('#');
  return { account, subscription };
}

/** How many partitions the due index has: one alone would take all writes. */
const shards = 8;

export const dueShards = Array.from({ length: shards }, (_, shard) => `due#${shard}`);

/** A partition of the due index, by chance. */
export const anyDueShard = (): string => dueShards[Math.floor(Math.random() * shards)] as string;
