import { laneOf, positionKey, positionOf } from '../records/position.ts';
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

export const urlKey = (account: string, hash: string) => ({ pk: `${account}#urls`, sk: hash });

export const deletedKey = (account: string, id: string) => ({ pk: `${account}#deleted`, sk: id });

export const eventKey = (account: string, id: string) => ({ pk: `${account}#event#${id}`, sk: 'event' });

/** The partition of a subscription's log that has a position. */
export const logPartition = (account: string, subscription: string, position: number) =>
  `${account}#${subscription}#${laneOf(position)}`;

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

export const wakeKey = (account: string, subscription: string) => ({
  pk: `${account}#${subscription}`,
  sk: 'wake',
});

/** Whose delivery, or whose order to wake up, an item of the table is. No account has the separator in its name. */
export function ownerOf(pk: string): { account: string; subscription: string } {
  const [account = '', subscription = ''] = pk.split('#');
  return { account, subscription };
}

/** Shards of what is due, so that no partition of the index has to take all of it. */
const shards = 8;

export const dueShards = Array.from({ length: shards }, (_, shard) => `due#${shard}`);

/** Where something waits that is due at a time: any shard will do. */
export const anyDueShard = (): string => dueShards[Math.floor(Math.random() * shards)] as string;

/** Where the deliveries of a subscription wait for it to be active again. */
export const restOf = (account: string, subscription: string): string => `rest#${account}#${subscription}`;
