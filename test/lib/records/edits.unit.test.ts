import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  byPath,
  type ClientEdits,
  edited,
  editOf,
  fromPaths,
  laterEdits,
} from '../../../lib/records/edits.ts';
import { type ContactFields, contacts } from '../../../lib/resources/contacts.ts';
import { blankAddress } from '../../../lib/values/addresses.ts';

const contact = (more: Partial<ContactFields> = {}): ContactFields => ({ ...contacts.blank, ...more });
const at = '2026-03-01T09:00:00.000Z';
const editsAfter = (
  edits: ClientEdits | undefined,
  before: Partial<ContactFields>,
  next: Partial<ContactFields>,
  version = 2,
) => edited(contacts, edits, [contact(before), contact(next)], { version, at });

describe('an edit is what differs, by its path:', () => {
  test.each<[string, Partial<ContactFields>, Partial<ContactFields>, string[]]>([
    ['a field', { note: 'a' }, { note: 'b' }, ['note']],
    ['a field that is cleared', { note: 'a', email: 'a@b.de' }, { email: 'a@b.de' }, ['note']],
    ['tags as a whole', { tags: ['a', 'b'] }, { tags: ['a'] }, ['tags']],
    ['a part of a new address', {}, { address: { ...blankAddress, city: 'Bonn' } }, ['address.city']],
    [
      'the parts of an address that is cleared',
      { address: { ...blankAddress, city: 'Bonn', country: 'DE' } },
      {},
      ['address.city', 'address.country'],
    ],
    [
      'custom fields that are new, other, and gone',
      { custom_fields: { same: 1, other: 1, gone: 1 } },
      { custom_fields: { same: 1, other: '1', new: false } },
      ['custom_fields.other', 'custom_fields.gone', 'custom_fields.new'],
    ],
    ['the external id', { external_id: 'a' }, { external_id: 'b' }, ['external_id']],
  ])('%s', (_, before, next, paths) => {
    const { versions, times } = editsAfter(undefined, before, next) as ClientEdits;
    expect(new Set(Object.keys(versions))).toEqual(new Set(paths));
    expect(new Set(Object.values(versions))).toEqual(new Set([2]));
    expect(times).toEqual({ 2: at });
  });

  test('nothing that is the same is one', () => {
    expect(editsAfter(undefined, { note: 'a' }, { note: 'a' })).toBeUndefined();
  });
});

test('an edit is raised, and all others stay', () => {
  const first = editsAfter(undefined, {}, { note: 'a', phone: '+4930123456' }, 1);
  expect(first).toEqual({ versions: { note: 1, phone: 1 }, times: {} });
  const second = editsAfter(first, { note: 'a' }, { note: 'b' }, 5);
  expect(second).toEqual({ versions: { note: 5, phone: 1 }, times: { 5: at } });
  expect(editsAfter(second, { note: 'b' }, { note: 'c' }, 7)?.times).toEqual({ 7: at });
});

test('of the edits of two states, the later one of each path counts', () => {
  const one = { versions: { note: 2, phone: 5 }, times: { 2: at, 5: at } };
  const other = { versions: { note: 3, email: 1 }, times: { 3: at } };
  const both = { versions: { note: 3, phone: 5, email: 1 }, times: { 3: at, 5: at } };
  expect(laterEdits(one, other)).toEqual(both);
  expect(laterEdits(other, one)).toEqual(both);
  expect(laterEdits(undefined, one)).toEqual(one);
});

test('edits are bounded however many names clients give their custom fields, and none is forgotten', () => {
  const truth = new Map<string, number>();
  let edits: ClientEdits | undefined;
  for (let version = 2; version < 400; version++) {
    const names = Array.from({ length: (version % 50) + 1 }, (_, i) => `f${(version * 7 + i * 13) % 900}`);
    const custom_fields = Object.fromEntries(names.map((name) => [name, version]));
    edits = editsAfter(edits, {}, { custom_fields }, version) as ClientEdits;
    for (const name of names) truth.set(name, version);
    expect(Object.keys(edits.versions).length).toBeLessThanOrEqual(101);
    expect(Object.keys(edits.times).length).toBeLessThanOrEqual(101);
    const forgotten = [...truth].filter(([name, last]) => editOf(edits, `custom_fields.${name}`) < last);
    expect(forgotten).toEqual([]);
  }
  expect(JSON.stringify(edits).length).toBeLessThan(10_000);
  expect(editOf(edits, 'note')).toBe(0);
});

test('a content that is taken apart and put together is the same', () => {
  const text = fc.option(fc.string({ minLength: 1 }));
  const address = fc.record(Object.fromEntries(Object.keys(blankAddress).map((part) => [part, text])));
  const content = fc.record({
    note: text,
    tags: fc.array(fc.string()),
    address: fc.option(address.filter((parts) => Object.values(parts).some((part) => part !== null))),
    custom_fields: fc.dictionary(
      fc.stringMatching(/^[a-z]\w{0,5}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean()),
      {
        noNullPrototype: true,
      },
    ),
  });
  fc.assert(
    fc.property(content, (some) => {
      const whole = contact(some as Partial<ContactFields>);
      expect(fromPaths(contacts, byPath(contacts, whole))).toEqual(whole);
    }),
  );
});
