import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { once } from '../lib/dynamodb/idempotency.ts';
import { mediaTypeProblem } from '../lib/http/body.ts';
import { entityTag, isMatch, parseEntityTags } from '../lib/http/event.ts';
import { mayBeKey, newKey } from '../lib/keys/format.ts';
import { newSeed, positionKey, positionMax, positionOf, recordId } from '../lib/records/position.ts';
import { patched } from '../lib/resources/contactPatch.ts';
import {
  type Contact,
  type ContactPatch,
  contact,
  contactDraft,
  contactPatch,
  contacts,
} from '../lib/resources/contacts.ts';
import { depthMax, structureOf } from '../lib/values/json.ts';

// What holds for every value of a kind, tried on random ones; of what a failure shows the smallest.

const settings = { numRuns: 300 };

const position = fc.oneof(
  fc.nat(),
  fc.integer({ min: 0, max: positionMax }),
  fc.constantFrom(0, 1, 99, 100, positionMax),
);

describe('ids', () => {
  test('carry their position', () => {
    fc.assert(
      fc.property(position, (at) => {
        const id = recordId('con', at, newSeed());
        expect(contact().shape.id.safeParse(id).success).toBe(true);
        expect(positionOf('con', id)).toBe(at);
        expect(positionOf('ord', id)).toBeUndefined();
      }),
      settings,
    );
  });

  test('and their keys in the database sort as their positions do', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(Math.sign(a - b)).toBe(
          positionKey(a) < positionKey(b) ? -1 : positionKey(a) > positionKey(b) ? 1 : 0,
        );
      }),
      settings,
    );
  });

  test('that nobody gave have no position, or one at which something else is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const at = positionOf('con', text);
        if (at !== undefined)
          expect(at).toSatisfy((n: number) => Number.isSafeInteger(n) && n >= 0 && n <= positionMax);
      }),
      settings,
    );
  });
});

describe('keys', () => {
  test('with one character changed are refused without a read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('live' as const, 'test' as const),
        fc.nat(),
        fc.constantFrom(...'0AZaz9_-'),
        (env, at, other) => {
          const key = newKey(env);
          const place = 'pak_'.length + (at % (key.length - 'pak_'.length));
          const changed = key.slice(0, place) + other + key.slice(place + 1);
          expect(mayBeKey(key)).toBe(true);
          expect(mayBeKey(changed)).toBe(changed === key);
        },
      ),
      settings,
    );
  });
});

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

  test('or what claims to be one are looked over without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ua01 \n'), maxLength: 200 }), (text) => {
        expect(structureOf(text).depth).toBeLessThanOrEqual(text.length);
      }),
      settings,
    );
    expect(structureOf('['.repeat(depthMax + 1)).depth).toBe(depthMax + 1);
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

  test('anything may stand in one without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"W/*, ;=ab\t'), maxLength: 60 }), (text) => {
        parseEntityTags(text);
        mediaTypeProblem([text]);
      }),
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

  test('read the same when they are sent again as they were answered', () => {
    fc.assert(
      fc.property(draft, (sent) => {
        const first = contactDraft().safeParse(sent);
        fc.pre(first.success);
        expect(contactDraft().parse(JSON.parse(JSON.stringify(first.data)))).toEqual(first.data);
      }),
      settings,
    );
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
