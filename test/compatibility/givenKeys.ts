import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { randomId } from '../../lib/ids.ts';
import { hashOf } from '../../lib/keys/format.ts';
import {
  changed,
  type IssuedKey,
  issue,
  type KeyDraft,
  revoked,
  rotated,
  scopedTo,
} from '../../lib/keys/key.ts';
import { saveKey } from '../../lib/keys/store.ts';
import { aTester } from '../support/data/given.ts';
import { account } from './content.ts';

const full = { kind: 'full' } as const;

async function issued(name: string, more: Partial<KeyDraft> = {}): Promise<IssuedKey> {
  const one = issue({ accountId: account, name, access: full, ...more }, 'test', new Date());
  return { ...one, key: await saveKey(one.key, undefined, aTester) };
}

/** A key in the format from before this project: full access is a missing or empty list of scopes. */
async function older(text: string, more: object): Promise<string> {
  const Item = { pk: hashOf(text), key_id: randomId('key'), account_id: account, name: 'Older', ...more };
  await dynamodb().send(new PutCommand({ TableName: required(env.keysTable), Item }));
  return text;
}

/** Makes one key of every kind, as the commands for ops do. @returns their texts; the first has full access */
export async function givenKeys(): Promise<string[]> {
  const access = scopedTo(['contacts:read', 'contacts:write', 'webhooks:manage']);
  const whole = await issued('Full access');
  const scoped = await issued('Scoped', { access, expiresAt: '2027-03-01T00:00:00.000Z' });
  const withdrawn = await issued('Revoked');
  await saveKey(revoked(withdrawn.key, new Date()), withdrawn.key, aTester);
  const before = await issued('Rotated');
  const after = rotated(before.key, 'test', 30 * 24 * 3_600_000, new Date());
  await saveKey(after.key, before.key, aTester);
  const renamed = await issued('Before');
  await saveKey(changed(renamed.key, { name: 'Renamed' }), renamed.key, aTester);
  return [
    ...[whole, scoped, withdrawn, before, after, renamed].map(({ text }) => text),
    await older('an-older-key-no-1-is-long', {}),
    await older('an-older-key-no-2-is-long', { scopes: [] }),
    await older('an-older-key-no-3-is-long', { scopes: ['orders:read'], expires_at: '2027-03-01T00:00:00Z' }),
  ];
}
