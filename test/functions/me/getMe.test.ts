import { describe, expect, test } from 'vitest';
import { getMe } from '../../../lib/contract/me.ts';
import { rotated } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import { aTester, givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('200', () => {
  test('a key with scopes: what it is and may do', async () => {
    const [account, expiresAt] = [givenAccount(), inAnHour()];
    const { key, text } = await givenKey(account, ['orders:read', 'contacts:read'], {
      name: 'Reports',
      expiresAt,
    });
    const { status, body } = await call(getMe, { key: text });
    expect(status).toBe(200);
    expect(body).toEqual({
      key_id: key.id,
      name: 'Reports',
      hint: text.slice(-4),
      scopes: ['contacts:read', 'orders:read'],
      full_access: false,
      account,
      created_at: key.createdAt,
      expires_at: expiresAt,
    });
  });

  test('a key without scopes shows in plain words that it has full access', async () => {
    const { text } = await givenKey(givenAccount());
    const { body } = await call(getMe, { key: text });
    expect(body).toMatchObject({ scopes: [], full_access: true, expires_at: null });
  });

  test('during a rotation each secret shows its own end', async () => {
    const { key, text: old } = await givenKey(givenAccount());
    const issued = rotated(key, 'test', 3_600_000, new Date());
    await saveKey(issued.key, key, aTester);
    const { body: before } = await call(getMe, { key: old });
    const { body: after } = await call(getMe, { key: issued.text });
    expect(before).toMatchObject({
      key_id: key.id,
      created_at: key.createdAt,
      hint: old.slice(-4),
      expires_at: issued.key.secrets[1]?.expiresAt,
    });
    expect(after).toMatchObject({
      key_id: key.id,
      created_at: key.createdAt,
      hint: issued.text.slice(-4),
      expires_at: null,
    });
  });
});
