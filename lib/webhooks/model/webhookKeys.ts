import { webhooks } from '../../dynamodb/tables.ts';
import { partitionNumber, positionKey, positionOf } from '../../records/position.ts';
import type { Positions } from '../../records/positionRange.ts';
import { secretsPartition } from './webhooksTable.ts';

// The key patterns of the Webhooks table, which webhooksTable.ts explains. The name of an account is never empty and never contains the separator.

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

export const blockedHostsPartition = '#blocked-hosts';

/** Each blocked host has its own partition, because every attempt reads the item of its host. */
export const blockedHostKey = (host: string) => ({ pk: `#blocked-host#${host}`, sk: 'host' });

export const stoppedHostsPartition = (account: string) => `${account}#stopped-hosts`;

export const stoppedHostKey = (account: string, host: string) => ({
  pk: stoppedHostsPartition(account),
  sk: host,
});

export const urlKey = (account: string, hash: string) => ({ pk: `${account}#urls`, sk: hash });

export const deletedSubscriptionKey = (account: string, id: string) => ({ pk: `${account}#deleted`, sk: id });

export const eventKey = (account: string, id: string) => ({ pk: `${account}#event#${id}`, sk: 'event' });

export const logPartition = (account: string, subscription: string, position: number) =>
  `${account}#${subscription}#${partitionNumber(position)}`;

export const deliveryKey = (account: string, subscription: string, position: number) => ({
  pk: logPartition(account, subscription, position),
  sk: positionKey(position),
});

export const logPositions = (account: string, subscription: string): Positions => ({
  table: webhooks.name,
  partitionOf: (position) => logPartition(account, subscription, position),
});

export const deliveryPrefix = 'dlv';

/** @returns undefined if this is not the id of a delivery; such an id contains the position */
export function deliveryKeyOf(account: string, subscription: string, id: string) {
  const position = positionOf(deliveryPrefix, id);
  return position === undefined ? undefined : deliveryKey(account, subscription, position);
}

export const redeliveryPrefix = 'rdl';

/** Checks an id before a read. A client's id becomes part of a key, and must not reach other items of the table. */
export const isRedeliveryId = (id: string): boolean => /^rdl_[0-9a-z]{24}$/.test(id);

export const redeliveryKey = (account: string, subscription: string, id: string) => ({
  pk: `${account}#${subscription}`,
  sk: id,
});

export const runningRedeliveryKey = (account: string, subscription: string) => ({
  pk: `${account}#${subscription}`,
  sk: 'redelivery',
});

export const paceKey = (account: string, subscription: string) => ({
  pk: `${account}#${subscription}`,
  sk: 'pace',
});

/** Returns the account and the subscription of a delivery or a redelivery. */
export function ownerOf(pk: string): { account: string; subscription: string } {
  const [account = '', subscription = ''] = pk.split('#');
  return { account, subscription };
}

/** The partitions of the due index. A single partition would take all writes. */
export const dueShards = Array.from({ length: 8 }, (_, shard) => `due#${shard}`);

export const anyDueShard = (): string => dueShards[Math.floor(Math.random() * dueShards.length)] as string;
