import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { absent } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { blockedHostsKey, stoppedHostKey, stoppedHostsPartition } from './keys.ts';

// The hosts that the operator of the API has blocked for all accounts. And those that one account may not subscribe, because the operator
// has paused its subscription: a new subscription must not undo that.

/** The blocked hosts of all accounts, each with the time of its block, RFC 3339 UTC. One item: an attempt reads it with others. */
interface BlockedHosts {
  hosts?: Record<string, string>;
}

/** Each with the time of its block. Strongly consistent. */
export const readBlockedHosts = async (): Promise<Record<string, string>> =>
  (await readItem<BlockedHosts>(webhooks, blockedHostsKey))?.hosts ?? {};

/** @param item of the blocked hosts, if there is one */
export const isBlockedIn = (item: Record<string, unknown> | undefined, host: string): boolean =>
  Object.hasOwn((item as BlockedHosts | undefined)?.hosts ?? {}, host);

/** Strongly consistent. */
export const isBlocked = async (host: string): Promise<boolean> =>
  isBlockedIn(await readItem(webhooks, blockedHostsKey), host);

/** Blocks a host, or unblocks it. A repetition keeps the first time. */
export async function setBlocked(host: string, blocked: boolean): Promise<void> {
  const update = (change: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    dynamodb().send(new UpdateCommand({ TableName: webhooks.name, Key: blockedHostsKey, ...change }));
  await update({
    UpdateExpression: 'SET hosts = if_not_exists(hosts, :none)',
    ExpressionAttributeValues: { ':none': {} },
  });
  await update({
    UpdateExpression: blocked ? 'SET hosts.#host = if_not_exists(hosts.#host, :now)' : 'REMOVE hosts.#host',
    ExpressionAttributeNames: { '#host': host },
    ...(blocked ? { ExpressionAttributeValues: { ':now': new Date().toISOString() } } : {}),
  });
}

/** Whether an account may not subscribe a host. Strongly consistent. */
export async function isStoppedFor(account: string, host: string): Promise<boolean> {
  const [blocked, stopped] = await Promise.all([
    isBlocked(host),
    readItem(webhooks, stoppedHostKey(account, host)),
  ]);
  return blocked || stopped?.host !== undefined;
}

/**
 * Lets a transaction commit only while the host of a URL is not stopped for an account: a look-up of its name takes time, in which the
 * operator may stop it. Each attempt sees a block.
 */
export const whileNotStopped = (account: string, host: string): Action =>
  webhooks.check(stoppedHostKey(account, host), { host: absent });

/**
 * Forbids an account to subscribe a host, or allows it again. The item stays, so that a restore from an older backup does not stop the
 * host again.
 */
export const stopHost = (account: string, host: string, stopped: boolean): Action =>
  webhooks.put({
    ...stoppedHostKey(account, host),
    ...(stopped ? { host } : { resumed_at: new Date().toISOString() }),
  });

/** The hosts that are stopped for an account. */
export async function stoppedHostsOf(account: string): Promise<string[]> {
  const query = webhooks.where({ pk: stoppedHostsPartition(account) });
  const items = await queryAll({ ...query, ConsistentRead: true });
  return items.flatMap(({ sk, host }) => (host === undefined ? [] : [sk as string]));
}
