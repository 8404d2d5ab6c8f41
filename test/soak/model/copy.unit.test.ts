import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../../lib/contract/changes.ts';
import { Random } from '../../simulation/random.ts';
import { Account } from '../client/account.ts';
import { Caller } from '../client/caller.ts';
import { wrongWithEvent } from '../receivers/event.ts';
import { Violations } from '../report/violations.ts';
import { contentOf } from './content.ts';
import { Copy } from './copy.ts';
import { Versions, versionsMax } from './versions.ts';

const at = '2026-03-01T09:30:00.000Z';

let violations: Violations;
let account: Account;
let copy: Copy;
beforeEach(() => {
  violations = new Violations();
  const caller = new Caller({ url: () => '', explains: () => false, record: () => {}, violations });
  const keys = { full: '', writer: '', reader: '' };
  account = new Account('soak-1', keys, { caller, violations, random: new Random(1) });
  account.records.created('con_1', account.records.newSerial('named'));
  copy = new Copy(account);
});

const change = (number: number, version: number, id = `evt_${version}`): Change => ({
  number,
  id,
  type: version === 1 ? 'contact.created' : 'contact.updated',
  at,
  resource: { type: 'contact', id: 'con_1', version },
  changed_fields: [],
  origin: null,
});

test('versions are kept one by one, also the last that fits', () => {
  const versions = new Versions();
  for (let version = 1; version <= versionsMax; version++) {
    expect(versions.areUpTo(7, version - 1)).toBe(true);
    versions.add(7, version);
    versions.add(7, version);
  }
  expect(versions.areUpTo(7, versionsMax)).toBe(true);
  expect(versions.count).toBe(versionsMax);
});

describe('a feed', () => {
  test('is right with each change once, in order', () => {
    for (const [number, version] of [1, 2, 3].entries()) copy.take(change(number, version));
    expect(violations.shown).toEqual([]);
    expect(copy.has(0, 3)).toBe(true);
  });

  test.each([
    ['a gap between numbers', [change(0, 1), change(2, 2)]],
    ['a version twice', [change(0, 1), change(1, 1)]],
    ['a version that is left out', [change(0, 1), change(1, 3)]],
  ])('is wrong with %s', (_, changes) => {
    for (const one of changes) copy.take(one);
    expect(violations.count).toBe(1);
  });
});

describe('an event', () => {
  const event = (id: string, revision = 1) => ({
    id,
    type: 'contact.created',
    resource: { type: 'contact', id: 'con_1', version: 1 },
    data: { id: 'con_1', ...contentOf(2, revision), version: 1, created_at: at, updated_at: at },
  });

  test('is right with the id that it has in the feed, also a second time', () => {
    copy.take(change(0, 1, 'evt_a'));
    expect(wrongWithEvent(account, event('evt_a'))).toBeUndefined();
    expect(wrongWithEvent(account, event('evt_a'))).toBeUndefined();
  });

  test('is wrong with another id, and with a content that nobody sent', () => {
    copy.take(change(0, 1, 'evt_a'));
    expect(wrongWithEvent(account, event('evt_b'))).toMatch('has another id elsewhere');
    expect(wrongWithEvent(account, event('evt_a', 2))).toMatch('which nobody sent');
  });
});
