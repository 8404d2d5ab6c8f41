import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as authorizer } from '../../functions/authorizer.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { env, required } from '../../lib/env.ts';
import { keyHashOf, newKey } from '../../lib/keys/format.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { failure, onWire } from '../support/faults/wire.ts';
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

  test('the context has its end: that of the key or of the secret, whichever comes first', async () => {
    const [sooner, later] = ['2100-01-01T00:00:00.000Z', '2200-01-01T00:00:00.000Z'];
    for (const ends of [
      { expires_at: sooner, secret_expires_at: later },
      { expires_at: later, secret_expires_at: sooner },
      { expires_at: sooner },
    ]) {
      const key = `ending-${givenAccount()}`;
      await givenStored(key, ends);
      expect((await ask(key)).result.context).toMatchObject({ expires_at: sooner });
    }
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

  test.each([
    ['no header', {}],
    ['an empty header', { 'X-Api-Key': [''] }],
    ['two keys', { 'X-Api-Key': [newKey('live'), newKey('live')] }],
    ['two keys under two names', { 'X-Api-Key': [newKey('live')], 'x-api-key': [newKey('live')] }],
  ])('%s', async (_, headers) => {
    await expect(withLog(() => handler(authorizerEvent(headers)))).rejects.toThrow(/^Unauthorized$/);
  });
});

describe('an internal error is answered neither with "Unauthorized" nor with access', () => {
  test.each(['InternalServerError', 'ThrottlingException', 'ResourceNotFoundException'])(
    'the table answers %s',
    async (type) => {
      const { text } = await givenKey(givenAccount());
      unhook = onWire(async () => failure(type));
      await expect(ask(text)).rejects.toThrow(/^(?!Unauthorized$)/);
    },
  );

  test('the table does not answer at all', async () => {
    const { text } = await givenKey(givenAccount());
    unhook = onWire(async () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    await expect(ask(text)).rejects.toThrow(/ECONNREFUSED/);
  });

  test.each([
    ['a set', new Set(['contacts:read'])],
    ['null', null],
    ['a text', 'contacts:read'],
    ['an empty word', ['']],
  ])('somebody stored %s as the scopes', async (_, scopes) => {
    const key = `odd-${givenAccount()}`;
    await givenStored(key, { scopes });
    await expect(ask(key)).rejects.toThrow(/stored scopes/);
  });
});
