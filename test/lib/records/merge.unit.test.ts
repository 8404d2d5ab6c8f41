import { describe, expect, test } from 'vitest';
import { edited } from '../../../lib/records/edits.ts';
import type { State } from '../../../lib/records/item.ts';
import { merge, type Terms } from '../../../lib/records/upsert/merge.ts';
import { type Contact, type ContactFields, contacts } from '../../../lib/resources/contacts.ts';
import { blankAddress } from '../../../lib/values/addresses.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();
const contact = (more: Partial<ContactFields> = {}): ContactFields => ({ ...contacts.blank, ...more });

/** A record that the product has stated, with the edits that clients made one after the other, a minute each. */
function edits(content: Partial<ContactFields>, ...more: Partial<ContactFields>[]): State<Contact> {
  const first = { ...contact(content), id: 'con_1', version: 1, created_at: at(0), updated_at: at(0) };
  const state: State<Contact> = { record: first, statedAt: undefined, origin: undefined };
  for (const [i, change] of more.entries()) {
    const record = { ...state.record, ...change, version: i + 2, updated_at: at(i + 1) };
    const point = { version: record.version, at: record.updated_at };
    state.edits = edited(contacts, state.edits, [state.record, record], point);
    state.record = record;
  }
  return state;
}

const mergedBy = (
  state: State<Contact>,
  content: Partial<ContactFields>,
  terms: Terms = {},
  statedAt: string | null = null,
) => merge(contacts, state, { content: contact(content), statedAt, terms });

describe('of an edit that the product did not know', () => {
  const state = edits({ note: 'old' }, { note: 'of a client' });

  test('the client’s stays, and everything else is as stated', () => {
    const merged = mergedBy(state, { note: 'old', phone: '+4930123456' }, { knownVersion: 1 });
    expect(merged).toEqual({
      content: contact({ note: 'of a client', phone: '+4930123456' }),
      kept: ['note'],
      overwritten: [],
    });
  });

  test('one that it did know is replaced', () => {
    const merged = mergedBy(state, { note: 'new' }, { knownVersion: 2 });
    expect(merged).toEqual({ content: contact({ note: 'new' }), kept: [], overwritten: [] });
  });

  test.each([
    ['later than the time of the statement stays', at(0), 'of a client', ['note'], []],
    ['as old as the statement is overwritten', at(1), 'new', [], ['note']],
    ['older is overwritten', at(2), 'new', [], ['note']],
  ])('without a known version, one that is %s', (_, statedAt, note, kept, overwritten) => {
    const merged = mergedBy(state, { note: 'new' }, {}, statedAt);
    expect(merged).toEqual({ content: contact({ note }), kept, overwritten });
  });

  test('of a record that a client created is as old as the record', () => {
    const first = edits({});
    const created = { ...first, edits: { versions: { note: 1 }, times: {} } };
    created.record = { ...first.record, note: 'of a client' };
    expect(mergedBy(created, {}, {}, at(-1))?.kept).toEqual(['note']);
    expect(mergedBy(created, {}, {}, at(0))?.overwritten).toEqual(['note']);
  });

  test('with neither, the product is the master', () => {
    expect(mergedBy(state, {})).toEqual({ content: contact(), kept: [], overwritten: ['note'] });
  });

  test('an edit is overwritten once: what the product states after that replaces its own value', () => {
    const after = { ...state, overwritten: 3, record: { ...state.record, note: 'stated', version: 3 } };
    expect(mergedBy(after, { note: 'new' })?.overwritten).toEqual([]);
  });

  test('a statement that agrees with the client contradicts nothing', () => {
    const merged = mergedBy(state, { note: 'of a client' }, { knownVersion: 1 });
    expect(merged).toEqual({ content: contact({ note: 'of a client' }), kept: [], overwritten: [] });
  });
});

test('parts of an address and custom fields are merged each for itself, tags as a whole', () => {
  const address = { ...blankAddress, city: 'Bonn', country: 'DE' };
  const state = edits(
    { address, tags: ['a'], custom_fields: { points: 1, plan: 'gold', gone: 1 } },
    {
      address: { ...address, city: 'Köln' },
      tags: ['a', 'b'],
      custom_fields: { points: 2, plan: 'gold', own: true },
    },
  );
  const merged = mergedBy(
    state,
    {
      address: { ...address, postal_code: '53111' },
      tags: ['c'],
      custom_fields: { points: 1, plan: 'silver', gone: 1 },
    },
    { knownVersion: 1 },
  );
  expect(merged?.content).toEqual(
    contact({
      address: { ...address, city: 'Köln', postal_code: '53111' },
      tags: ['a', 'b'],
      custom_fields: { own: true, plan: 'silver', points: 2 },
    }),
  );
  expect(new Set(merged?.kept)).toEqual(
    new Set(['address.city', 'tags', 'custom_fields.points', 'custom_fields.own', 'custom_fields.gone']),
  );
});

describe('what a statement leaves out', () => {
  const address = { ...blankAddress, city: 'Bonn', country: 'DE' };
  const state = edits({ note: 'old', address, custom_fields: { points: 1, plan: 'gold' } });
  const keeping = (...named: string[]): Terms => ({ named: new Set(named) });

  test('stays, if the product wants it so', () => {
    expect(mergedBy(state, { phone: '+4930123456' }, keeping('phone'))?.content).toEqual(
      contact({ phone: '+4930123456', note: 'old', address, custom_fields: { points: 1, plan: 'gold' } }),
    );
  });

  test('is a part of an address, or a custom field', () => {
    const content = { address: { ...blankAddress, city: 'Köln' }, custom_fields: { points: 2 } };
    expect(mergedBy(state, content, keeping('address.city', 'custom_fields.points'))?.content).toEqual(
      contact({
        note: 'old',
        address: { ...address, city: 'Köln' },
        custom_fields: { plan: 'gold', points: 2 },
      }),
    );
  });

  test('is nothing of a field that is named as a whole', () => {
    expect(mergedBy(state, {}, keeping('address', 'custom_fields'))?.content).toEqual(
      contact({ note: 'old' }),
    );
  });

  test('stays also beside an edit that is overwritten', () => {
    const both = edits({}, { note: 'of a client', phone: '+4930123456' });
    expect(mergedBy(both, { note: 'new' }, keeping('note'))).toMatchObject({
      content: { note: 'new', phone: '+4930123456' },
      overwritten: ['note'],
    });
  });
});

describe('an older statement changes nothing:', () => {
  test.each<[string, Partial<State<Contact>>, Terms, string | null, boolean]>([
    ['of a lower revision', { revision: 5 }, { revision: 4 }, null, true],
    ['of the same revision, which is a repetition', { revision: 5 }, { revision: 5 }, null, false],
    ['of a lower revision and a later time', { revision: 5, statedAt: at(1) }, { revision: 4 }, at(2), true],
    [
      'of a higher revision and an earlier time',
      { revision: 5, statedAt: at(2) },
      { revision: 6 },
      at(1),
      false,
    ],
    ['of an earlier time', { statedAt: at(2) }, {}, at(1), true],
    ['of an earlier time, and the first revision', { statedAt: at(2) }, { revision: 1 }, at(1), true],
    ['without both', { statedAt: at(2), revision: 5 }, {}, null, false],
  ])('%s', (_, more, terms, statedAt, isOlder) => {
    expect(mergedBy({ ...edits({}), ...more }, { note: 'new' }, terms, statedAt) === undefined).toBe(isOlder);
  });
});
