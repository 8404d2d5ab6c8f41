import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Who } from '../../../lib/activity/author.ts';
import { escaped } from '../../../lib/errors/quoted.ts';
import { grantOf } from '../../../lib/keys/access.ts';
import { hintOf } from '../../../lib/keys/format.ts';
import { type Key, revoked } from '../../../lib/keys/key.ts';
import { findSecret } from '../../../lib/keys/lookup.ts';
import { KeyChangedError, readKey, saveKey } from '../../../lib/keys/store.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { columns } from '../columns.ts';
import { connect, type Target } from '../connection.ts';
import { type FoundSubscription, view } from '../webhooks/subscriptionsOutput.ts';
import { flush } from './flush.ts';
import { type Found, readReport } from './leakReport.ts';
import { leftBehindBy, wordsFor } from './leftBehind.ts';

/** What has become of a text of a report. `unknown` is not a key of this system; `not revoked` has a reason. */
type Result = 'revoked' | 'ended before' | 'unknown' | 'not revoked';

interface Leak {
  /** Undefined when the entry has no text as its token. */
  found: Found | undefined;
  result: Result;
  reason?: string;
  key?: Key;
}

/** Who finds the keys, as entries of the activity name it. */
const finder = 'GitHub secret scanning';

interface Options extends Target {
  json?: boolean;
  keyIdentifier: string;
  signature: string;
  publicKeys: string;
  pauseSubscriptions?: boolean;
}

/** Revokes the keys of a report in a file, and prints what has become of each. A second run flushes the cache again. */
export async function revokeReported(file: string, { publicKeys, ...options }: Options): Promise<void> {
  const connection = await connect(options);
  const report = await readReport(bodyFrom(file), options, publicKeys);
  const leaks = await revokeAll(report, await connection.operator());
  const keys = new Map(leaks.flatMap(({ key }) => (key ? [[key.id, key] as const] : [])));
  const cache_flushed = keys.size === 0 || (await flush(connection, { taken: true }));
  const left: FoundSubscription[] = [];
  for (const key of keys.values())
    left.push(...(await leftBehindBy(key, { pause: options.pauseSubscriptions ?? false })));
  if (options.json)
    console.log(JSON.stringify({ found: leaksJson(leaks), cache_flushed, subscriptions: left.map(view) }));
  else console.log(`${leaksText(leaks)}\n\n${wordsFor(left, 'They have')}`);
  if (leaks.some(({ result }) => result === 'not revoked')) process.exitCode = 1;
}

function bodyFrom(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file);
  } catch (error) {
    throw new OpsError(`The report cannot be read: ${(error as Error).message}`);
  }
}

/** Revokes the keys of a report whose found secret still works. The entry of each says who found it, and where. */
async function revokeAll(report: readonly (Found | undefined)[], who: Who): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const found of report) {
    // One that cannot be revoked keeps no other one alive.
    const outcome = await revokeOne(found, who).catch(
      (error): Omit<Leak, 'found'> => ({ result: 'not revoked', reason: (error as Error).message }),
    );
    leaks.push({ found, ...outcome });
  }
  return leaks;
}

const triesMax = 5;

async function revokeOne(found: Found | undefined, who: Who, tries = 1): Promise<Omit<Leak, 'found'>> {
  if (!found) return { result: 'not revoked', reason: 'the entry has no text as its token' };
  const secret = await findSecret(found.token.trim());
  if (!secret) return { result: 'unknown' };
  const key = await readKey(String(secret.key_id));
  if (!key) return { result: 'not revoked', reason: `there is no key ${secret.key_id}` };
  const now = new Date();
  if (!grantOf(secret, now)) return { result: 'ended before', key };
  const report = { by: finder, url: found.url };
  try {
    return { result: 'revoked', key: await saveKey(revoked(key, now), key, { ...who, report }) };
  } catch (error) {
    // Somebody else has just changed the key.
    if (error instanceof KeyChangedError && tries < triesMax) return revokeOne(found, who, tries + 1);
    throw error;
  }
}

/** The texts are secrets, so they are never printed. */
const leaksText = (leaks: readonly Leak[]): string =>
  columns([
    ['HINT', 'RESULT', 'KEY ID', 'ACCOUNT', 'FOUND AT'],
    ...leaks.map(({ found, result, reason, key }) => [
      found ? `…${hintIn(found)}` : '-',
      reason ? `${result}: ${reason}` : result,
      key?.id ?? '-',
      key?.accountId ?? '-',
      escaped(found?.url ?? '-'),
    ]),
  ]);

const hintIn = ({ token }: Found): string => escaped(hintOf(token.trim()));

/** With `token_hash`, `token_type` and `label` for the answer that GitHub takes: whether its finds were keys. */
const leaksJson = (leaks: readonly Leak[]) =>
  leaks.map(({ found, result, reason, key }) => ({
    token_hash: found ? createHash('sha256').update(found.token).digest('base64') : null,
    token_type: found?.type ?? null,
    label: found && result !== 'unknown' ? 'true_positive' : 'false_positive',
    hint: found ? hintIn(found) : null,
    result,
    reason: reason ?? null,
    key_id: key?.id ?? null,
    account: key?.accountId ?? null,
    url: found?.url ?? null,
  }));
