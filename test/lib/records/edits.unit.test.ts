import { expect, test } from 'vitest';
import { type ClientEdits, edited, editOf } from '../../../lib/records/edits.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import type { ValuesOf } from '../../../lib/resources/field.ts';

type ContactFields = ValuesOf<typeof contacts.fields>;

const contact = (more: Partial<ContactFields> = {}): ContactFields => ({ ...contacts.blank, ...more });
const at = '2026-03-01T09:00:00.000Z';
const editsAfter = (
  edits: ClientEdits | undefined,
  before: Partial<ContactFields>,
  next: Partial<ContactFields>,
  version = 2,
) => edited(contacts, edits, [contact(before), contact(next)], { version, at });

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
