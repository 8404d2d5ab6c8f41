import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { statements } from '../lib/contract/inbox.ts';
import { operations } from '../lib/contract/index.ts';
import type { Operation } from '../lib/resources/operation.ts';
import {
  type FieldPath,
  fieldOf,
  fieldPathsOf,
  jsonWith,
  withoutWrappers,
} from './support/input/bodyFields.ts';

// What people see is what is stored: no field takes a text of which nothing is seen, or one that reads as another.

const schemas: [name: string, schema: z.ZodType][] = [
  ...(operations as readonly Operation[]).flatMap(({ id, body }): [string, z.ZodType][] =>
    body ? [[id, body()]] : [],
  ),
  ...Object.entries(statements).map(([name, schema]): [string, z.ZodType] => [name, schema()]),
];

/** Every place of a schema, and one of a custom field where there are some. */
const allPathsOf = (schema: z.ZodType): FieldPath[] =>
  fieldPathsOf(schema).flatMap((place) =>
    place.at(-1) === 'custom_fields' ? [place, [...place, 'a']] : [place],
  );

function isTakenAt(schema: z.ZodType, place: FieldPath, text: string): boolean {
  const { error } = schema.safeParse(JSON.parse(jsonWith({}, place, JSON.stringify(text))));
  return !(error?.issues ?? []).some(({ path }) => place.every((name, i) => path[i] === name));
}

/** Whether a text is taken, and not read as no text: that is what it is where there may be none. */
function isStoredAt(schema: z.ZodType, place: FieldPath, text: string): boolean {
  if (!isTakenAt(schema, place, text)) return false;
  const [name] = place.slice(-1);
  const around = (value: unknown) => fieldAt(schema, place.slice(0, -1)).safeParse(value).data;
  if (typeof name === 'number') return JSON.stringify(around([text])) !== '[]';
  if (place.at(-2) === 'custom_fields')
    return ((around({ [`${name}`]: text }) as Record<string, unknown>)[`${name}`] ?? null) !== null;
  return fieldAt(schema, place).safeParse(text).data !== null;
}

const fieldAt = (schema: z.ZodType, place: FieldPath): z.ZodType =>
  place.reduce((at, name) => {
    const inner = withoutWrappers(at);
    return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : fieldOf(inner, String(name));
  }, schema);

const ofProperty = (property: RegExp): string[] =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => (code < 0xd800 || code > 0xdfff) && property.test(String.fromCodePoint(code)))
    .map((code) => String.fromCodePoint(code));

const notShown = ofProperty(/^\p{Default_Ignorable_Code_Point}$/u);
/** Some of each kind: hyphen, joiner, filler, marks of direction, selectors, tags, the empty cell of Braille, and others without a shape. */
const some = [
  ...[
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u17b4',
    '\u180e',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
  ],
  ...[
    '\u2060',
    '\u2064',
    '\u206f',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\u{e0020}',
    '\u{e0100}',
    '\u2800',
  ],
  ...['\ufff9', '\u{13430}', '\u{13441}', '\u{16fe4}', '\u{1d159}'],
];
const turning = ofProperty(/^[\u202a-\u202e\u2066-\u2069]$/u);

describe.each(schemas)('%s', (_, schema) => {
  const paths = allPathsOf(schema);
  const pathsThatAccept = (text: string): FieldPath[] =>
    paths.filter((place) => isTakenAt(schema, place, text));
  const texts = pathsThatAccept('Ada L').filter((place) => !isTakenAt(schema, place, 'Ada\u0000L'));
  const addresses = [
    ...pathsThatAccept('ada@example.com').map((place) => [place, 'ada@example.com'] as const),
    ...pathsThatAccept('https://example.com/ada').map((place) => [place, 'https://example.com/ada'] as const),
  ].filter(([place]) => !isTakenAt(schema, place, 'Ada L'));

  test('takes no text that is only of characters that nobody sees', () => {
    for (const place of texts)
      for (const text of [
        ...some.filter((one) => one.trim() !== ''),
        some.join(''),
        `\u200b \u00a0${some.join(' ')}\u200b`,
      ])
        expect(isStoredAt(schema, place, text), `${place.join('.')}: ${JSON.stringify(text)}`).toBe(false);
  });

  test('takes no text with a character that turns the direction of others', () => {
    for (const place of texts)
      for (const one of turning)
        expect(isTakenAt(schema, place, `Ada${one}L`), `${place.join('.')}: ${escape(one)}`).toBe(false);
    // Letters are turned round also where it ends.
    for (const place of texts)
      for (const one of ['\u202d', '\u202e'])
        expect(isTakenAt(schema, place, `Ada ${one}L\u202c.`), `${place.join('.')}: ${escape(one)}`).toBe(
          false,
        );
  });

  test('takes no text with words hidden in tag characters', () => {
    const tags = (text: string) =>
      [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) as number))).join('');
    for (const place of texts)
      for (const hidden of [
        ...['A', '\u0000', '\u007f', 'ignore this'].map(tags),
        `🏴${tags('gbsct')}`,
        `🏴${tags('gbsct\u007f')}${tags('x')}`,
        `🏴${tags('secrets\u007f')}`,
        `🏴${tags('GBS\u007f')}`,
        `🏴 ${tags('gbsct\u007f')}`,
      ])
        expect(isTakenAt(schema, place, `Bob${hidden}`), `${place.join('.')}: ${escape(hidden)}`).toBe(false);
  });

  test('takes what joins letters and pictures, and what says the direction of a sign', () => {
    // An id is not prose: two of them must not look the same.
    for (const place of texts.filter((one) => !/^(external|source)_id$/.test(String(one.at(-1)))))
      for (const text of [
        'می‌خواهم',
        'ශ්‍රී',
        '👩‍👩‍👧‍👦',
        '❤️',
        '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
        'Ada 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}🏴 L',
        'C++\u200e',
        '葛\u{e0100}',
        'Donau\u00addampf',
      ])
        expect(isTakenAt(schema, place, text), `${place.join('.')}: ${text}`).toBe(true);
  });

  test('takes no address with a character that nobody sees, wherever it stands', () => {
    for (const [place, address] of addresses)
      for (const one of [...some, ...turning])
        for (const at of [1, 4, address.length - 2])
          expect(
            isTakenAt(schema, place, address.slice(0, at) + one + address.slice(at)),
            `${place.join('.')}: ${escape(one)} at ${at}`,
          ).toBe(false);
  });
});

test('both kinds of fields are found', () => {
  const found = schemas.map(
    ([name, schema]) =>
      [name, allPathsOf(schema).filter((place) => isTakenAt(schema, place, 'Ada L')).length] as const,
  );
  const counts = Object.fromEntries(found);
  expect(counts.createContact).toBeGreaterThanOrEqual(12);
  expect(counts.createWebhookSubscription).toBe(1);
});

test('by the property of Unicode, and not by a list of ours', () => {
  const name = schemas.find(([id]) => id === 'createContact')?.[1] as z.ZodType;
  expect(notShown.length).toBeGreaterThan(4000);
  expect(notShown.filter((one) => isStoredAt(name, ['first_name'], one))).toEqual([]);
  expect(notShown.filter((one) => isTakenAt(name, ['email'], `a${one}b@example.com`))).toEqual([]);
  expect(notShown.filter((one) => isTakenAt(name, ['email'], `ab@exa${one}mple.com`))).toEqual([]);
});
