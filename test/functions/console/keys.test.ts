import { beforeEach, describe, expect, test } from 'vitest';
import {
  createKey,
  endOldSecrets,
  getKey,
  type KeyDraft,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../lib/contract/console/consoleKeys.ts';
import { getMe } from '../../../lib/contract/me.ts';
import { keyHashOf } from '../../../lib/keys/format.ts';
import { findSecret, readKey } from '../../../lib/keys/storedKeys.ts';
import { aPerson, callConsole, givenSession } from '../../support/console/console.ts';
import { entriesOf, keysOf } from '../../support/console/stored.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { useDivertedLog } from '../../support/run/logLines.ts';
import { givenUse } from '../../support/usage/logs.ts';

useDivertedLog();

let account: string;
let cookie: string;
beforeEach(async () => {
  account = givenAccount();
  ({ cookie } = await givenSession(account));
});

let keys = 0;
const idempotency = (key = `key-${++keys}`) => ({ 'Idempotency-Key': key });
const create = (body: Partial<KeyDraft> = {}, key?: string) =>
  callConsole(createKey, {
    cookie,
    headers: idempotency(key),
    body: { name: 'A key', scopes: ['orders:read'], ...body },
  });
const rotate = (keyId: string, overlap_seconds = 0, key?: string) =>
  callConsole(rotateKey, { cookie, params: { keyId }, headers: idempotency(key), body: { overlap_seconds } });
const update = (keyId: string, body: object, headers = {}) =>
  callConsole(updateKey, { cookie, params: { keyId }, headers, body });
const revoke = (keyId: string) => callConsole(revokeKey, { cookie, params: { keyId } });
const get = (keyId: string) => callConsole(getKey, { cookie, params: { keyId } });

/** What a key can do, as the public API says it. */
const me = async (key: string) => (await call(getMe, { key })).body;

describe('a new key', () => {
  test('works in the public API, with the scopes that were chosen', async () => {
    const { status, body } = await create({ scopes: ['orders:read', 'contacts:read'] });
    expect(status).toBe(201);
    expect(body.key).toEqual({
      id: expect.any(String),
      name: 'A key',
      display: `pak_test_…${body.secret?.slice(-4)}`,
      scopes: ['contacts:read', 'orders:read'],
      full_access: false,
      status: 'active',
      secrets: [{ hint: body.secret?.slice(-4), expires_at: null, last_used_at: null }],
      created_at: expect.any(String),
      created_by: { kind: 'user', ...aPerson },
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      requests_24h: 0,
      failed_24h: 0,
      version: 1,
    });
    expect(await me(body.secret as string)).toMatchObject({
      key_id: body.key.id,
      account,
      scopes: ['contacts:read', 'orders:read'],
      full_access: false,
    });
  });

  test('has full access only when that is said', async () => {
    const full = await callConsole(createKey, {
      cookie,
      headers: idempotency(),
      body: { name: 'Full', full_access: true, expires_at: '2999-01-01T00:00:00Z' },
    });
    expect(full.body.key).toMatchObject({
      full_access: true,
      scopes: [],
      expires_at: '2999-01-01T00:00:00.000Z',
    });
    for (const body of [
      { name: 'Neither' },
      { name: 'Both', full_access: true, scopes: ['orders:read'] },
      { name: 'False', full_access: false },
      { name: 'Empty', scopes: [] },
      { name: 'Null', scopes: null },
    ])
      expect((await callConsole(createKey, { cookie, headers: idempotency(), body })).status, body.name).toBe(
        400,
      );
  });

  test('needs an Idempotency-Key, because a repetition must not make another key', async () => {
    const { status, body } = await callConsole(createKey, {
      cookie,
      body: { name: 'A key', full_access: true },
    });
    expect([status, body.message]).toEqual([
      400,
      'The header Idempotency-Key must be given once, with 1 to 255 printable ASCII characters',
    ]);
  });

  test('is made once by repeated requests; a repetition gets the key without its secret', async () => {
    const first = await create({}, 'same');
    const again = await create({}, 'same');
    expect(again.status).toBe(201);
    expect(again.body).toEqual({ key: first.body.key, secret: null });
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
    expect((await create({ name: 'Another' }, 'same')).status).toBe(422);
    expect(await keysOf(account)).toHaveLength(1);
    expect(await entriesOf(account)).toHaveLength(3);
  });
});

describe('the list of keys', () => {
  const list = (query = {}) => callConsole(listKeys, { cookie, query });

  test('says of each key whether it works, and when each of its secrets was last used', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const expired = await givenKey(account, [], { expiresAt: past });
    const rotating = await givenKey(account, ['orders:read']);
    await givenUse(rotating.key, new Date('2026-03-01T12:00:00Z'));
    await rotate(rotating.key.id, 3600);
    const gone = await givenKey(account);
    await revoke(gone.key.id);
    const { body } = await list();
    const byId = new Map(body.data.map((key) => [key.id, key]));
    expect(byId.get(expired.key.id)?.status).toBe('expired');
    expect(byId.get(gone.key.id)).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    expect(byId.get(rotating.key.id)).toMatchObject({
      status: 'rotating',
      last_used_at: '2026-03-01T12:00:00.000Z',
      secrets: [
        { expires_at: null, last_used_at: null },
        {
          hint: rotating.text.slice(-4),
          expires_at: expect.any(String),
          last_used_at: '2026-03-01T12:00:00.000Z',
        },
      ],
    });
  });
});

describe('a change', () => {
  test('of name, scopes and end counts in the public API, each with its kind of entry', async () => {
    const { body } = await create();
    const { id } = body.key;
    const end = '2999-01-01T00:00:00.000Z';
    const changes: [object, object, string][] = [
      [{ name: 'Renamed' }, { name: 'Renamed' }, 'key.renamed'],
      [{ scopes: ['contacts:read'] }, { scopes: ['contacts:read'] }, 'key.access_changed'],
      [{ full_access: true }, { scopes: [], full_access: true }, 'key.access_changed'],
      [{ expires_at: end }, { expires_at: end }, 'key.expiry_changed'],
      [{ expires_at: null }, { expires_at: null }, 'key.expiry_changed'],
      [{ name: 'Both', scopes: ['orders:read'] }, { name: 'Both', scopes: ['orders:read'] }, 'key.changed'],
    ];
    for (const [i, [patch, after, action]] of changes.entries()) {
      const reply = await update(id, patch);
      expect([reply.status, reply.headers.get('ETag')]).toEqual([200, `"${i + 2}"`]);
      expect(reply.body).toMatchObject({ ...after, version: i + 2 });
      expect((await get(id)).body.history[0]).toMatchObject({
        action,
        after,
        session_id: expect.any(String),
      });
    }
    expect(await me(body.secret as string)).toMatchObject({ name: 'Both', scopes: ['orders:read'] });
  });

  test('of a version that is not there any more is 412 and changes nothing', async () => {
    const { body } = await create();
    await update(body.key.id, { name: 'Second' }, { 'If-Match': '"1"' });
    const late = await update(body.key.id, { name: 'Third' }, { 'If-Match': '"1"' });
    expect(late.status).toBe(412);
    expect((await readKey(body.key.id))?.name).toBe('Second');
  });

  test('that is refused names each field with what is wrong', async () => {
    const { body } = await create();
    const wrong = { name: 'x'.repeat(101), expires_at: new Date(0).toISOString() };
    const { body: refused } = await update(body.key.id, wrong);
    expect(refused).toMatchObject({
      problems: [{ field: 'name', message: expect.stringMatching(/^must be/) }],
    });
    const { body: late } = await update(body.key.id, { expires_at: wrong.expires_at });
    expect(late).toMatchObject({
      problems: [{ field: 'expires_at', message: expect.stringMatching(/^must be/) }],
    });
  });

  test('takes the last scope away only for full access', async () => {
    const { body } = await create();
    for (const patch of [
      { scopes: [] },
      { scopes: null },
      { full_access: false },
      { scopes: ['orders:read'], full_access: true },
    ])
      expect((await update(body.key.id, patch)).status).toBe(400);
  });
});

describe('a rotation', () => {
  test('gives a new secret, and lets the old one work for the overlap', async () => {
    const { body } = await create();
    const { status, body: rotated } = await rotate(body.key.id, 3600);
    expect([status, rotated.key.version, rotated.key.status]).toEqual([200, 2, 'rotating']);
    for (const secret of [body.secret, rotated.secret])
      expect((await me(secret as string)).key_id).toBe(body.key.id);
    const { body: last } = await rotate(body.key.id, 0);
    expect(await findSecret(body.secret as string)).toBeUndefined();
    expect((await me(last.secret as string)).key_id).toBe(body.key.id);
  });

  test('can be ended before its overlap is over: the newest secret alone works then', async () => {
    const { body } = await create();
    const { body: rotated } = await rotate(body.key.id, 3600);
    const params = { keyId: body.key.id };
    const { status, body: ended } = await callConsole(endOldSecrets, { cookie, params });
    expect([status, ended.status, ended.secrets.length]).toEqual([200, 'active', 1]);
    expect(await findSecret(body.secret as string)).toBeUndefined();
    expect((await me(rotated.secret as string)).key_id).toBe(body.key.id);
    expect((await callConsole(endOldSecrets, { cookie, params })).body.version).toBe(ended.version);
  });
});

describe('a revocation', () => {
  test('ends the key and all its secrets for good; a repetition changes nothing', async () => {
    const { body } = await create();
    const { body: rotated } = await rotate(body.key.id, 3600);
    const first = await revoke(body.key.id);
    expect(first.body).toMatchObject({ status: 'revoked', version: 3 });
    for (const secret of [body.secret, rotated.secret])
      expect(await findSecret(secret as string)).toHaveProperty('revoked_at');
    expect((await revoke(body.key.id)).body).toEqual(first.body);
    expect((await entriesOf(account)).at(-1)).toMatchObject({ action: 'key.revoked', key_id: body.key.id });
  });
});

describe('a key', () => {
  test('has its history, newest first, with what was before and after, and never a secret', async () => {
    const { body } = await create();
    await update(body.key.id, { name: 'Renamed' });
    const { body: rotated } = await rotate(body.key.id, 3600);
    const { body: shown } = await get(body.key.id);
    expect(shown.history.map(({ action }) => action)).toEqual(['key.rotated', 'key.renamed', 'key.created']);
    const [rotation, renaming, creation] = shown.history;
    const hints = [rotated.secret, body.secret].map((secret) => secret?.slice(-4));
    expect(rotation).toMatchObject({ before: { hints: [hints[1]] }, after: { hints } });
    expect(renaming).toMatchObject({ before: { name: 'A key' }, after: { name: 'Renamed' } });
    expect(creation).toMatchObject({ before: null, author: { kind: 'user', ...aPerson } });
    expect(shown.changes_recorded).toBe(3);
    const text = JSON.stringify([await keysOf(account), await entriesOf(account)]);
    for (const secret of [body.secret, rotated.secret]) expect(text).not.toContain(secret);
    expect(JSON.stringify(await entriesOf(account))).not.toContain(keyHashOf(body.secret as string));
  });

  test.each([
    ['of another account', true],
    ['that does not exist', false],
  ])('%s is answered like one that is not there, by every operation', async (_, exists) => {
    const { key } = await givenKey(givenAccount());
    const id = exists ? key.id : 'key_000000000000000000000000';
    const replies = [await get(id), await update(id, { name: 'Mine' }), await rotate(id), await revoke(id)];
    for (const { status, body } of replies)
      expect([status, body]).toEqual([404, { error: 'Not Found', message: `No API key has the id "${id}"` }]);
    expect(await readKey(key.id)).toEqual(key);
  });
});
