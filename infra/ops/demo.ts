import { join } from 'node:path';
import { type Scope, scopes } from '../../lib/contract/operation.ts';
import type { Access } from '../../lib/keys/access.ts';
import { issue, scopedTo } from '../../lib/keys/key.ts';
import { findSecret } from '../../lib/keys/lookup.ts';
import { saveKey } from '../../lib/keys/store.ts';
import { readJson, writeJson } from '../local/running.ts';
import { connect } from './connection.ts';

/** The demo account of a local stack. Its keys are kept in the data directory, because a key cannot be read back. */
export interface Demo {
  account: string;
  keys: Record<'full' | Scope, string>;
}

const account = 'demo';

/** The demo account of a data directory, made on the first start. Made again whole when that was interrupted. */
export async function openDemo(folder: string): Promise<Demo> {
  await connect({ data: folder });
  const file = join(folder, 'demo.json');
  const kept = readJson<Demo>(file);
  if (kept && (await findSecret(kept.keys.full))) return kept;
  // Only the first start pays for loading the generator of names and places.
  const { seed } = await import('./demoRecords.ts');
  await seed(account);
  const demo = { account, keys: await issueKeys() };
  writeJson(file, demo);
  return demo;
}

async function issueKeys(): Promise<Demo['keys']> {
  const wanted: [name: string, access: Access][] = [
    ['full', { kind: 'full' }],
    ...scopes.map((scope): [string, Access] => [scope, scopedTo([scope])]),
  ];
  const issued = await Promise.all(
    wanted.map(async ([name, access]) => {
      const { key, text } = issue({ accountId: account, name: `Demo: ${name}`, access }, 'test', new Date());
      await saveKey(key);
      return [name, text];
    }),
  );
  return Object.fromEntries(issued);
}
