import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { once } from '../lib/dynamodb/idempotency.ts';
import { entityTag, isMatch, parseEntityTags } from '../lib/http/event.ts';
import { patched } from '../lib/resources/contactPatch.ts';
import {
  type Contact,
  type ContactPatch,
  contactDraft,
  contactPatch,
  contacts,
} from '../lib/resources/contacts.ts';
import { structureOf } from '../lib/values/json.ts';

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

  test('that say the same are the same request, whatever the order of their fields', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, inner]) => [name, shuffled(inner)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const print = (value: unknown) => once('op', 'key', value).fingerprint;
        expect(print(shuffled(a))).toBe(print(a));
        expect(print(a) === print(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
      settings,
    );
  });

  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? {
            object: Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, inner]) => [name, sorted(inner)]),
          }
        : value;
});

describe('headers', () => {
  test('a list of entity tags means what is in it', () => {
    const tags = fc.array(fc.record({ weak: fc.boolean(), version: fc.nat({ max: 20 }) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        tags,
        fc.nat({ max: 20 }),
        fc.constantFrom(',', ', ', ' ,\t'),
        (tagList, version, comma) => {
          const text = tagList.map((tag) => `${tag.weak ? 'W/' : ''}${entityTag(tag.version)}`).join(comma);
          const parsed = parseEntityTags(text);
          expect(parsed).toHaveLength(tagList.length);
          const isInList = (weak: boolean) =>
            tagList.some((tag) => tag.version === version && (weak || !tag.weak));
          expect(isMatch(parsed ?? [], version, 'weak')).toBe(isInList(true));
          expect(isMatch(parsed ?? [], version, 'strong')).toBe(isInList(false));
        },
      ),
      settings,
    );
  });
});

describe('contacts', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const customFields = fc.dictionary(
    fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/),
    fc.oneof(text, fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.boolean()),
    { maxKeys: 5 },
  );
  const address = fc.record(
    { line1: fc.option(text), city: fc.option(text), country: fc.option(fc.constantFrom('DE', 'US')) },
    { requiredKeys: [] },
  );
  const fields = {
    external_id: fc.option(fc.stringMatching(/^[A-Za-z0-9._:@+=-]{1,20}$/)),
    first_name: fc.option(text),
    company: fc.option(text),
    phone: fc.option(
      fc.oneof(
        fc.stringMatching(/^\+[1-9][0-9]{6,14}$/),
        fc.stringMatching(/^\+(36|7|370|375|39|49|52)[0268]{0,4}[0-9]{5,10}$/),
      ),
    ),
    tags: fc.option(fc.array(text, { maxLength: 5 })),
    note: fc.option(text),
    address: fc.option(address),
    custom_fields: fc.option(customFields),
  };
  const draft = fc.record({ ...fields, email: fc.constant('a@example.com') }, { requiredKeys: ['email'] });
  const patch = fc.record(
    { ...fields, custom_fields: fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(text))) },
    { requiredKeys: [] },
  );
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
    if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
    const merged: Record<string, unknown> =
      typeof target === 'object' && target !== null ? { ...target } : {};
    for (const [name, value] of Object.entries(change))
      if (value === null) delete merged[name];
      else merged[name] = mergePatch(merged[name], value);
    return merged;
  }

  test('are patched as RFC 7396 says, where what is not there reads null, [] or {}', () => {
    fc.assert(
      fc.property(draft, patch, (before, change) => {
        const [start, parsed] = [contactDraft().safeParse(before), contactPatch().safeParse(change)];
        fc.pre(start.success && parsed.success);
        const after = patched(asContact(start.data), parsed.data as ContactPatch);
        const expected = contactDraft().parse(mergePatch(start.data, parsed.data));
        expect({ ...after }).toMatchObject(expected);
      }),
      settings,
    );
  });
});
