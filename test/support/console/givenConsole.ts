import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Who } from '../../../lib/activity/author.ts';
import { shownKeys } from '../../../lib/console/keyViews.ts';
import type { ConsoleKey } from '../../../lib/contract/console/consoleKeys.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { type ApiKey, issue, revoked, rotated, scopedTo } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import type { Scope } from '../../../lib/resources/index.ts';
import { givenUse } from '../usage/logs.ts';
import { keysOf } from './stored.ts';

const dayMs = 86_400_000;
const before = (days: number): Date => new Date(Date.now() - days * dayMs);

export const ana = { id: 'user-1', name: 'Ana Ruiz' };
const byAna: Who = { kind: 'user', ...ana };
const byJonas: Who = { kind: 'user', id: 'user-2', name: 'Jonas Weber' };

interface Given {
  name: string;
  scopes: readonly Scope[];
  /** In days, as the other times; a negative one is in the future. */
  created: number;
  used?: number;
  expires?: number;
  who?: Who;
}

/** A key that was made and used in the past. */
async function aKey(
  accountId: string,
  { name, scopes, created, used, expires, who = byAna }: Given,
): Promise<ApiKey> {
  const access = scopes.length > 0 ? scopedTo(scopes) : ({ kind: 'full' } as const);
  const expiresAt = expires === undefined ? {} : { expiresAt: before(expires).toISOString() };
  const { key } = issue({ accountId, name, access, ...expiresAt }, 'test', before(created));
  const stored = await saveKey(key, undefined, who);
  if (used !== undefined) await wasUsed(stored, used);
  return stored;
}

const wasUsed = (key: ApiKey, days: number): Promise<void> => givenUse(key, before(days));

/** Keys in all states: active, rotating, expiring, unused with full access, expired and revoked. */
export async function givenKeys(account: string): Promise<void> {
  const [, newsletter, , , , trial] = await Promise.all([
    aKey(account, {
      name: 'Warehouse sync',
      scopes: ['contacts:read', 'orders:read'],
      created: 40,
      used: 0.01,
      expires: -62,
    }),
    aKey(account, {
      name: 'Newsletter tool',
      scopes: ['contacts:read', 'contacts:write'],
      created: 120,
      used: 0.52,
      who: byJonas,
    }),
    aKey(account, { name: 'Check-in app', scopes: ['orders:read'], created: 13, used: 0.2, expires: -4.5 }),
    aKey(account, { name: 'Old reporting script', scopes: [], created: 700, used: 140 }),
    aKey(account, { name: 'Set-up of webhooks', scopes: ['webhooks:manage'], created: 100, expires: 6 }),
    aKey(account, { name: 'Trial', scopes: ['contacts:read'], created: 200 }),
  ]);
  const { key } = rotated(newsletter, 'test', 4.5 * dayMs, new Date());
  await wasUsed(await saveKey(key, newsletter, byJonas), 0.06);
  await saveKey(revoked(trial, before(3)), trial, byJonas);
}

/** The keys of an account as the console shows them, newest first. */
export const shownKeysOf = async (account: string): Promise<ConsoleKey[]> =>
  (await shownKeys(await keysOf(account))).reverse();

const keyNamed = async (account: string, name: string): Promise<ApiKey> =>
  (await keysOf(account)).find((key) => key.name === name) as ApiKey;

/** Somebody changes a key in the table directly, which leaves no entry. */
export async function changePastSystem(account: string, name: string): Promise<void> {
  const { id } = await keyNamed(account, name);
  await dynamodb().send(
    new UpdateCommand({
      TableName: required(env.keysTable),
      Key: { pk: id },
      UpdateExpression: 'ADD revision :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
}
