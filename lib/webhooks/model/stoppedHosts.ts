import { absent, unlessThere } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { blockedHostKey, blockedHostsPartition, stoppedHostKey, stoppedHostsPartition } from './keys.ts';

// The hosts that the operator of the API has blocked for all accounts. And those that one account may not subscribe, because the operator
// has paused its subscription: a new subscription must not undo that.

/** The hosts that are blocked for all accounts, each with the time of its block, RFC 3339 UTC. Strongly consistent. */
export async function readBlockedHosts(): Promise<Record<string, string>> {
  const items = await queryAll({ ...webhooks.where({ pk: blockedHostsPartition }), ConsistentRead: true });
  return Object.fromEntries(items.map(({ sk, blocked_at }) => [sk, blocked_at]));
}

/** Strongly consistent. */
export const isBlocked = async (host: string): Promise<boolean> =>
  (await readItem(webhooks, blockedHostKey(host))) !== undefined;

/** Blocks a host, or unblocks it. A repetition keeps the first time. */
export async function setBlocked(host: string, blocked: boolean): Promise<void> {
  const keys = [{ pk: blockedHostsPartition, sk: host }, blockedHostKey(host)];
  const changes = { blocked_at: unlessThere(new Date().toISOString()) };
  await transact(keys.map((key) => (blocked ? webhooks.update(key, changes) : webhooks.delete(key))));
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
