import { afterEach, describe, expect, test } from 'vitest';
import { keyHashOf } from '../../../lib/keys/format.ts';
import { changed, issue, KeyRefusal, revoked, rotated, scopedTo, secretsMax } from '../../../lib/keys/key.ts';
import { findSecret, readKey, saveKey } from '../../../lib/keys/storedKeys.ts';
import { aTester, givenAccount, givenKey } from '../../support/data/given.ts';
import { failure, onWire } from '../../support/faults/wire.ts';

let unhook = () => {};
afterEach(() => unhook());

const now = new Date('2026-03-01T12:00:00Z');
const draft = { accountId: 'a', name: 'A key', access: scopedTo(['orders:read']) };

describe('rotation', () => {
  test('keeps the id and everything else, and lets the old secret live for the overlap', () => {
    const first = issue(draft, 'live', now);
    const { key, text } = rotated(first.key, 'live', 60_000, now);
    expect(key).toMatchObject({ ...first.key, secrets: expect.anything(), revision: 2 });
    expect(key.secrets).toEqual([
      { hash: keyHashOf(text), hint: text.slice(-4), environment: 'live' },
      { ...first.key.secrets[0], expiresAt: '2026-03-01T12:01:00.000Z' },
    ]);
  });

  test('done twice never extends the life of an older secret', () => {
    const first = issue(draft, 'live', now);
    const second = rotated(first.key, 'live', 60_000, now);
    const third = rotated(second.key, 'live', 3_600_000, new Date(now.getTime() + 30_000));
    expect(third.key.secrets.map(({ expiresAt }) => expiresAt)).toEqual([
      undefined,
      '2026-03-01T13:00:30.000Z',
      '2026-03-01T12:01:00.000Z',
    ]);
  });

  test('with a shorter overlap shortens the life of older secrets too, and with none ends them all', () => {
    const first = issue(draft, 'live', now);
    const second = rotated(first.key, 'live', 3_600_000, now);
    const third = rotated(second.key, 'live', 60_000, now);
    expect(third.key.secrets.map(({ expiresAt }) => expiresAt)).toEqual([
      undefined,
      '2026-03-01T12:01:00.000Z',
      '2026-03-01T12:01:00.000Z',
    ]);
    const fourth = rotated(third.key, 'live', 0, now);
    expect(fourth.key.secrets.map(({ hash }) => hash)).toEqual([keyHashOf(fourth.text)]);
  });

  test('leaves a key at most ten working secrets', () => {
    let { key } = issue(draft, 'live', now);
    for (let i = 1; i < secretsMax; i++) ({ key } = rotated(key, 'live', 60_000, now));
    expect(key.secrets).toHaveLength(10);
    expect(() => rotated(key, 'live', 60_000, now)).toThrow(KeyRefusal);
    expect(rotated(key, 'live', 0, now).key.secrets).toHaveLength(1);
    expect(rotated(key, 'live', 60_000, new Date(now.getTime() + 60_000)).key.secrets).toHaveLength(2);
  });
});

describe('the store', () => {
  test('keeps no key, only hashes', async () => {
    const { key, text } = await givenKey(givenAccount());
    const stored = JSON.stringify([await readKey(key.id), await findSecret(text)]);
    expect(stored).not.toContain(text);
    expect(stored).not.toContain(text.slice(9, -6));
  });

  test('a change reaches every secret of the key', async () => {
    const first = await givenKey(givenAccount(), ['orders:read']);
    const second = rotated(first.key, 'test', 60_000, new Date());
    await saveKey(second.key, first.key, aTester);
    await saveKey(
      changed(second.key, { access: scopedTo(['contacts:read']), name: 'Renamed' }),
      second.key,
      aTester,
    );
    for (const text of [first.text, second.text])
      expect(await findSecret(text)).toMatchObject({ scopes: ['contacts:read'], name: 'Renamed' });
    await saveKey(
      revoked((await readKey(first.key.id)) as typeof first.key, new Date()),
      await readKey(first.key.id),
      aTester,
    );
    for (const text of [first.text, second.text]) expect(await findSecret(text)).toHaveProperty('revoked_at');
  });

  /** Something else writes the items of the key just now, as DynamoDB tells it: the first `times` transactions meet that write. */
  function givenWrites(times: number): void {
    let left = times;
    unhook = onWire(async (call, send) => {
      if (call.name !== 'TransactWriteItems' || left-- <= 0) return send();
      const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }, { Code: 'None' }];
      return failure('TransactionCanceledException', { CancellationReasons });
    });
  }

  test('a change that conflicts with another write is tried again', async () => {
    const { key } = await givenKey(givenAccount());
    givenWrites(3);
    const next = changed(key, { name: 'Renamed' });
    await saveKey(next, key, aTester);
    expect(await readKey(key.id)).toEqual(next);
  });

  test('full access is stored as the absence of scopes, and taking it back stores them', async () => {
    const { key, text } = await givenKey(givenAccount());
    expect(await findSecret(text)).not.toHaveProperty('scopes');
    await saveKey(changed(key, { access: scopedTo(['orders:read']) }), key, aTester);
    expect(await findSecret(text)).toHaveProperty('scopes', ['orders:read']);
  });
});
