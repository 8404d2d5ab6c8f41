import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../lib/contract/index.ts';
import { getMe } from '../../lib/contract/me.ts';
import { forbidden } from '../../lib/errors/apiError.ts';
import { newKey } from '../../lib/keys/format.ts';
import { revoked, rotated } from '../../lib/keys/key.ts';
import { saveKey } from '../../lib/keys/storedKeys.ts';
import { scopes } from '../../lib/resources/index.ts';
import type { NeededScope, Operation } from '../../lib/resources/operation.ts';
import { aTester, givenAccount, givenKey } from '../support/data/given.ts';
import { call, checkError, checkReply, type Request } from '../support/http/api.ts';
import { pathOf } from '../support/http/pathOf.ts';
import { sendRaw } from '../support/http/rawHttp.ts';
import { validRequests } from '../support/http/requests.ts';
import { sampleOf } from '../support/run/sample.ts';

const unauthorized = { error: 'Unauthorized', message: 'Missing or invalid API key' };

describe.each(operations.map((operation, turn) => [operation.id, operation as Operation, turn] as const))(
  '%s',
  (id, operation, turn) => {
    let account: string;
    let valid: Request;
    let full: string;
    // What has been deleted cannot be deleted again, and no URL subscribed again.
    const isOnce = operation.method === 'DELETE' || id === 'createWebhookSubscription';
    (isOnce ? beforeEach : beforeAll)(async () => {
      account = givenAccount();
      valid = await validRequests[id](account);
      ({ text: full } = await givenKey(account));
    });

    const needed: readonly NeededScope[] = [operation.scope].flat();
    const send = (key?: string) => call(operation, { ...valid, key });
    const sendHeaders = (headers: string[]) => {
      const body = valid.body === undefined ? undefined : JSON.stringify(valid.body);
      const type = body === undefined ? [] : ['Content-Type', 'application/json'];
      const path = pathOf(operation, valid.params);
      return sendRaw({
        method: operation.method,
        path,
        headers: [...headers, ...type],
        ...(body ? { body } : {}),
      });
    };

    describe('401, always with the same body', () => {
      test('without a key', async () => {
        const { status, body } = await send();
        expect([status, body]).toEqual([401, unauthorized]);
      });

      const wrongKeys: [name: string, key: string][] = [
        ['an empty key', ''],
        ['a word', 'letmein'],
        ['something that looks like SQL', "' OR 1=1 --"],
        ['our prefix and nothing more', 'pak_live_'],
        ['a key that nobody issued', newKey('live')],
        ['a very long one', 'k'.repeat(8000)],
      ];

      test.each(sampleOf(wrongKeys, { name: 'wrong keys', count: 1, turn }))('%s', async (_, key) => {
        const { status, body } = await send(key);
        expect([status, body]).toEqual([401, unauthorized]);
      });

      test('a key with a mistyped character', async () => {
        const wrong = full.replace(/.$/, full.endsWith('0') ? '1' : '0');
        const { status, body } = await send(wrong);
        expect([status, body]).toEqual([401, unauthorized]);
      });

      test('a revoked key', async () => {
        const { key, text } = await givenKey(account);
        await saveKey(revoked(key, new Date()), key, aTester);
        const { status, body } = await send(text);
        expect([status, body]).toEqual([401, unauthorized]);
      });

      test('an expired key', async () => {
        const { text } = await givenKey(account, [], {
          expiresAt: new Date(Date.now() - 1000).toISOString(),
        });
        const { status, body } = await send(text);
        expect([status, body]).toEqual([401, unauthorized]);
      });

      test('a secret that was rotated out, after its overlap', async () => {
        const { key, text } = await givenKey(account);
        await saveKey(rotated(key, 'test', 0, new Date()).key, key, aTester);
        const { status, body } = await send(text);
        expect([status, body]).toEqual([401, unauthorized]);
      });

      test('two different keys at once, also when the gateway knows one of them', async () => {
        await call(getMe, { key: full });
        for (const pair of [
          ['X-Api-Key', full, 'X-Api-Key', newKey('live')],
          ['X-Api-Key', newKey('live'), 'x-api-key', full],
          ['X-Api-Key', full, 'x-api-key', newKey('live')],
          ['x-api-key', newKey('live'), 'X-Api-Key', full],
        ]) {
          const reply = await sendHeaders(pair);
          expect([reply.status, reply.body]).toEqual([401, unauthorized]);
          checkReply(operation, reply);
        }
      });

      test('a key in the query is none', async () => {
        const { status } = await sendRaw({
          method: operation.method,
          path: `${pathOf(operation, valid.params)}?X-Api-Key=${full}`,
        });
        expect(status).toBe(401);
      });
    });

    describe('access', () => {
      test('a key without scopes may', async () => {
        expect((await send(full)).status).toBe(operation.success.status);
      });

      const spellings = ['X-Api-Key', 'x-api-key', 'X-API-KEY'];
      test.each(sampleOf(spellings, { name: 'spellings', count: 1, turn }))(
        'the header may be written %s',
        async (name) => {
          const reply = await sendHeaders([name, full]);
          expect(reply.status).toBe(operation.success.status);
          checkReply(operation, reply);
        },
      );

      test('the same key twice is one key', async () => {
        expect((await sendHeaders(['X-Api-Key', full, 'x-api-key', full])).status).toBe(
          operation.success.status,
        );
      });

      test.each(sampleOf(scopes, { name: 'scopes', count: 2, turn }))('a key with only %s', async (scope) => {
        const { text } = await givenKey(account, [scope]);
        const { status, body } = await send(text);
        const { bodyScope = scope } = operation.success;
        if (operation.scope === null || needed.includes(scope))
          expect(status).toBe(bodyScope === scope ? operation.success.status : 204);
        else
          expect([status, body]).toEqual([
            403,
            { error: 'Forbidden', message: forbidden(operation.scope).message },
          ]);
      });

      test('a key with every scope but the right one learns nothing about what is there', async () => {
        const others = scopes.filter((scope) => !needed.includes(scope));
        const { text } = await givenKey(account, others);
        const { status } = await call(operation, { key: text, query: { nope: 1 }, params: {} });
        expect(status).toBe(operation.scope === null ? 400 : 403);
      });

      test('a key of another account finds nothing of this one', async () => {
        const { text } = await givenKey(givenAccount());
        const { status, body } = await call(operation, { ...valid, key: text });
        if (operation.success.created) expect(status).toBe(201);
        else if (operation.path.includes('{')) {
          expect(status).toBe(404);
          checkError(status, body);
        } else if ('data' in body) expect(body.data).toEqual([]);
        else expect(status).toBe(operation.success.status);
      });
    });
  },
);
