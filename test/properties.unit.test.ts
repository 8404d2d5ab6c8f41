import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contact, contacts, createContact, updateContact } from '../lib/resources/contacts.ts';
import { patched } from '../lib/resources/patch.ts';
import { isObject, readObject, structureOf } from '../lib/schemas/json.ts';

// What holds for every value of a kind, tried on random ones; of what a failure shows the smallest.

const settings = { numRuns: 300 };

describe('JSON bodies', () => {
  /** JSON as a text, in a spelling of its own. */
  const spelled = fc
    .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
    .map(([value, indent]) => ({ value, text: JSON.stringify(value, null, indent) }));

  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  test('are as deep as the value they hold, and no name stands twice', () => {
    fc.assert(
      fc.property(spelled, ({ value, text }) => {
        expect(structureOf(text)).toEqual({
          depth: depthOf(value),
          repeated: [],
        });
      }),
      settings,
    );
  });

  test('with a name twice are found out, wherever it is and however it is spelled', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'grapheme' }), (value, name) => {
        const escaped = [...JSON.stringify(name).slice(1, -1)].join('');
        const spelling =
          name === ''
            ? ''
            : `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(name.slice(1)).slice(1, -1)}`;
        const text = `[{"${escaped}":${JSON.stringify(value)},"x-${escaped}":1,"${spelling}":2}]`;
        expect(structureOf(text).repeated).toEqual([name]);
      }),
      settings,
    );
  });
});

test('every double is read as it was, from its shortest text and from those with more digits', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 17, max: 30 }),
      (a, digits) => {
        for (const text of [String(a), a.toExponential(), a.toPrecision(digits)])
          expect(readObject(`{"a":${text}}`)).toEqual({ value: { a: Number(text) } });
      },
    ),
    { numRuns: 2000 },
  );
});

describe('contacts', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const address = fc.record(
    { line1: fc.option(text), city: fc.option(text), country: fc.option(fc.constantFrom('DE', 'US')) },
    { requiredKeys: [] },
  );
  const fields = {
    phone: fc.option(text),
    tags: fc.option(fc.array(text, { maxLength: 5 })),
    note: fc.option(text),
    address: fc.option(address),
    custom_fields: fc.option(
      fc.letrec((tie) => ({
        fields: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('value'), { maxKeys: 3 }),
        value: fc.oneof(
          { depthSize: 'small', maxDepth: 3 },
          fc.option(text),
          fc.array(fc.option(text), { maxLength: 2 }),
          tie('fields'),
        ),
      })).fields,
    ),
  };
  const draft = fc.record({ ...fields, email: fc.constant('a@example.com') }, { requiredKeys: ['email'] });
  const patch = fc.record(fields, { requiredKeys: [] });
  const asContact = (content: object): Contact => ({
    ...contacts.blank,
    ...content,
    id: '',
    version: 1,
    created_at: '',
    updated_at: '',
  });

  /** RFC 7396, § 2, to the letter. */
  function mergePatch(target: unknown, change: unknown): unknown {
    if (!isObject(change)) return change;
    const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
    for (const [name, value] of Object.entries(change))
      if (value === null) merged.delete(name);
      else merged.set(name, mergePatch(merged.get(name), value));
    return Object.fromEntries(merged);
  }

  test('are patched as RFC 7396 says, where what is not there reads null, [] or {}', () => {
    fc.assert(
      fc.property(draft, patch, (before, change) => {
        const contactDraft = createContact.body();
        const [start, parsed] = [contactDraft.safeParse(before), updateContact.body().safeParse(change)];
        fc.pre(start.success && parsed.success);
        const after = patched(contacts, asContact(start.data), parsed.data as object);
        const expected = contactDraft.parse(mergePatch(start.data, parsed.data));
        expect({ ...after }).toMatchObject(expected);
      }),
      settings,
    );
  });
});
