import { beforeEach, describe, expect, test } from 'vitest';
import { getMyUsage } from '../../../lib/contract/me.ts';
import { env, required } from '../../../lib/env.ts';
import { createContact, getContact, listContacts } from '../../../lib/resources/contacts.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { knownUses } from '../../../lib/usage/keyUses.ts';
import { listFailures } from '../../../lib/usage/listFailures.ts';
import { usageOf } from '../../../lib/usage/usage.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { scan } from '../../support/data/scan.ts';
import { apiUrl, call } from '../../support/http/api.ts';

// Requests through the local stack: its access log, its subscription filters, and the function that counts.

let account: string;
beforeEach(() => {
  account = givenAccount();
});

const failed = async () => (await listFailures(account, { limit: 100 })).data;

describe('a failing request', () => {
  const canary = `canary${Date.now().toString(36)}`;

  /** What is kept of the request that fails with this status. */
  async function keptOf(send: (key: string) => Promise<{ status: number; headers: Headers }>) {
    const { text, key } = await givenKey(account, ['contacts:read', 'contacts:write']);
    const { status, headers } = await send(text);
    await expect
      .poll(failed)
      .toMatchObject([{ status, key_id: key.id, request_id: headers.get('X-Request-Id') }]);
    // The line of the function may come after that of the gateway.
    const reason = async () => {
      const [request] = await failed();
      return [request?.message, ...(request?.problems ?? [])].filter(Boolean).length;
    };
    await expect.poll(reason).toBeGreaterThan(0);
    return (await failed())[0];
  }

  test.each([
    [
      'names and values of fields',
      (key: string) =>
        call(createContact, {
          key,
          body: {
            email: canary,
            address: { line1: true, [canary]: canary },
            tags: [canary, true],
          },
        }),
      {
        message: null,
        problems: expect.arrayContaining([
          {
            field: 'email',
            message:
              'must be an e-mail address of at most 320 characters: 1 to 64 without spaces, one @, and a domain',
          },
          { field: 'address.line1', message: expect.stringContaining('must be') },
          { field: 'tags[1]', message: expect.stringContaining('must be') },
        ]),
      },
    ],
    [
      'an id that does not exist',
      (key: string) => call(getContact, { key, params: { contactId: `con_${canary}` } }),
      { path: '/contacts/{contactId}', status: 404, message: 'No contact has the id …', problems: [] },
    ],
    [
      'a scope that the key lacks',
      (key: string) => call(listOrders, { key, query: { external_id: canary } }),
      { status: 403, message: 'This API key lacks the scope orders:read', problems: [] },
    ],
  ])('is listed with its reason, and without %s', async (_, send, kept) => {
    expect(await keptOf(send)).toMatchObject(kept);
    const items = await scan(required(env.usageTable));
    const stored = JSON.stringify(items, (_, value) => (value instanceof Set ? [...value] : value));
    expect(stored).toContain(account);
    expect(stored).not.toContain(canary);
  });
});

test('a path or a method that does not exist is in no count and in no list, also with a valid key', async () => {
  const { text, key } = await givenKey(account);
  const send = (method: string, path: string, of = text) =>
    fetch(`${apiUrl}${path}`, { method, headers: { 'X-Api-Key': of } });
  expect((await send('GET', '/nope')).status).toBe(404);
  expect((await send('DELETE', '/contacts')).status).toBe(404);
  expect((await send('GET', '/contacts', `${text.slice(0, -1)}?`)).status).toBe(401);
  // It is counted after the others would be.
  expect((await send('GET', '/contacts/con_nope')).status).toBe(404);
  const query = { resolution: 'hour', group_by: 'operation' } as const;
  const counts = async () =>
    (await usageOf(account, query)).groups.map(({ operation, total }) => [operation, total]);
  await expect.poll(counts).toEqual([['getContact', 1]]);
  await expect.poll(failed).toMatchObject([{ operation: 'getContact', key_id: key.id }]);
});

test('what a key did is counted: by GET /me/usage, and as its last use', async () => {
  const begun = Date.now();
  const { text, key } = await givenKey(account);
  const other = await givenKey(account);
  for (let i = 0; i < 5; i++) await call(listContacts, { key: text });
  await call(listContacts, { key: text, query: { limit: 0 } });
  await call(listContacts, { key: other.text });
  const totals = async (of: string) =>
    (await call(getMyUsage, { key: of })).body.groups.map(({ total }) => total);
  // Each look is a request, too.
  let looks = 0;
  const counted = async () => {
    const [succeeded = 0, ...others] = await totals(text);
    looks += 1;
    return [succeeded >= 5 && succeeded < 5 + looks, ...others];
  };
  await expect.poll(counted).toEqual([true, 1, 0]);
  const uses = await knownUses([key]);
  // To the minute.
  expect(Date.parse(uses.get(key.id)?.lastUsedAt as string)).toBeGreaterThan(begun - 60_000);
  expect(uses.get(key.id)?.requests24h).toBeGreaterThanOrEqual(6);
  await expect.poll(async () => (await totals(other.text))[0]).toBeGreaterThanOrEqual(1);
});
