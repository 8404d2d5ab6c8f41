import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as authorizer } from '../../functions/authorizer.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { keyHashOf, newKey } from '../../lib/keys/format.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { onWire } from '../support/faults/wire.ts';
import { authorizerEvent } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { withLog } from '../support/run/logLines.ts';

const handler = asFunction('authorizer', authorizer);

let unhook = () => {};
afterEach(() => unhook());

const ask = (key: string, name = 'X-Api-Key') => withLog(() => handler(authorizerEvent({ [name]: [key] })));

/** What somebody else wrote into the table. */
async function givenStored(key: string, more: object): Promise<void> {
  const Item = { pk: keyHashOf(key), key_id: 'key_1', account_id: 'acme', ...more };
  await dynamodb().send(new PutCommand({ TableName: required(env.keysTable), Item }));
}

describe('a good key', () => {
  test('opens every route of the stage, because the answer is cached by the key alone', async () => {
    const { text } = await givenKey(givenAccount());
    const { result } = await ask(text);
    expect(result.policyDocument).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: 'Allow',
          Resource: 'arn:aws:execute-api:eu-central-1:123456789012:abc123/v1/*',
        },
      ],
    });
  });

  test('of an older format still works: it is found by its hash', async () => {
    const key = `legacy-${givenAccount()}`;
    await givenStored(key, { scopes: ['orders:read'] });
    expect((await ask(key)).result.context).toEqual({
      account_id: 'acme',
      key_id: 'key_1',
      secret: keyHashOf(key).slice(0, 8),
      access: 'scoped',
      scopes: 'orders:read',
      expires_at: 'never',
    });
  });

  test('is never in the log', async () => {
    const { text } = await givenKey(givenAccount());
    const { text: log } = await ask(text);
    expect(log).not.toContain(text);
    expect(log).not.toContain(keyHashOf(text));
  });
});

describe('what is refused with exactly "Unauthorized"', () => {
  /** The calls that it took to refuse a key. */
  async function callsFor(key: string): Promise<string[]> {
    const calls: string[] = [];
    unhook = onWire((call, send) => {
      calls.push(call.name);
      return send();
    });
    await expect(ask(key)).rejects.toThrow(/^Unauthorized$/);
    unhook();
    return calls;
  }

  test('a key with a wrong checksum, without a read', async () => {
    const key = newKey('live');
    const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    expect(await callsFor(wrong)).toEqual([]);
  });

  test.each([
    ['of an older format that is too short to be one', 'k'.repeat(19)],
    ['of one character', 'a'],
    ['of an older format that is too long to be one', 'k'.repeat(513)],
  ])('a key %s, without a read, though somebody stored it', async (_, key) => {
    await givenStored(key, {});
    expect(await callsFor(key)).toEqual([]);
  });

  test('a test key where data is kept, without a read', async () => {
    const { text } = await givenKey(givenAccount());
    expect(text).toMatch(/^pak_test_/);
    vi.stubEnv(env.refuseTestKeys, '1');
    expect(await callsFor(text)).toEqual([]);
    vi.unstubAllEnvs();
    expect((await ask(text)).result.context).toMatchObject({ access: 'full' });
  });
});
