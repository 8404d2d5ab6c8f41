import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { currentAssembly } from '../../infra/local/template/assembly.ts';
import { readTemplate } from '../../infra/local/template/template.ts';
import { fileOfLastRelease } from '../../infra/ops/documents/lastRelease.ts';
import type { Restoration } from '../../infra/ops/restore/restoration.ts';
import { kinds as restorable } from '../../infra/ops/restore/restore.ts';
import { knownWords } from '../../infra/pages/reference/openapi/jsonSchema.ts';
import { eventTypes } from '../../lib/contract/eventTypes.ts';
import { operations } from '../../lib/contract/index.ts';
import * as handles from '../../lib/dynamodb/tables.ts';
import { env } from '../../lib/env.ts';
import { fromBase32 } from '../../lib/ids.ts';
import { recordId } from '../../lib/records/position.ts';
import { collectionOf } from '../../lib/resources/collections.ts';
import { resourceTypes } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { document, type OpenApi, type Schema } from '../support/documents/openapi.ts';
import { isWhole } from '../support/run/extent.ts';
import { root } from '../support/stack/stackProcess.ts';
import { declaredFields, deliveries, subscriptions } from './declaredFields.ts';
import type { Examples } from './examples.ts';
import { itemOf, type Tables } from './history.ts';
import { keyOf, kinds, patternsOf } from './kinds.ts';
import { byKind, examplesOfToday, readReleased, type Today } from './releaseExamples.ts';
import { type Shape, shapeOf, unreadable } from './shapes.ts';

/**
 * What today's code writes and the last release cannot read: the message of the test, with the reason why it does no
 * harm while both run and after a rollback.
 */
const decided: Record<string, string> = {};

const whatToDo =
  'The last release runs beside this one for minutes, and a rollback may restore it. Let this release write what that one can ' +
  'read; or add to `decided` why it does no harm. When this release is deployed, run npm run examples, and empty `decided`.';

let today: Today;
let shapes: Map<string, Shape>;
const shapesOf = (examples: Examples) =>
  new Map([...byKind(examples)].map(([kind, values]) => [kind, shapeOf(values)]));
beforeAll(async () => {
  today = await examplesOfToday();
  shapes = shapesOf(today.examples);
});

/** The words of the enum fields that are stored, by the name in the document. */
function wordsOf({ components: { schemas } }: OpenApi): Map<string, unknown[]> {
  const words = new Map<string, unknown[]>();
  const look = (name: string, schema: Schema): void => {
    const known = schema[knownWords];
    if (known) words.set(name, known as unknown[]);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) look(`${name}.${field}`, inner);
    for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
      if (inner) look(name, inner);
  };
  for (const name of Object.keys(schemas).filter((one) => !/(Draft|Patch)$/.test(one)))
    look(name, schemas[name] as Schema);
  return words;
}

function* newWords(before: OpenApi, after: OpenApi): Generator<string> {
  const known = wordsOf(before);
  for (const [name, words] of wordsOf(after)) {
    // The last release reads the name of a field in a list of changed fields, whatever it is.
    if (!known.has(name) || name.endsWith('.changed_fields')) continue;
    for (const word of words)
      if (!known.get(name)?.includes(word)) yield `${name} has the new word "${word}"`;
  }
}

/** What has to be decided: a new word once, with the number of its places, and everything else by itself. */
function decisionsAbout(differences: readonly string[]): string[] {
  const decisions = Map.groupBy(
    new Set(differences),
    (difference) => / has (the new word ".+")$/.exec(difference)?.[1] ?? difference,
  );
  return [...decisions].map(([decision, places]) =>
    places[0] === decision ? decision : `${decision}, ${places.length} times`,
  );
}

function* differences(before: Map<string, Shape>, after: Map<string, Shape>): Generator<string> {
  for (const [kind, shape] of before) {
    const now = after.get(kind);
    if (now) yield* unreadable(shape, now, kind);
    else yield `${kind} is gone`;
  }
  for (const kind of after.keys()) if (!before.has(kind)) yield `${kind} is a new kind`;
}

/**
 * What the last release knows all the same: the name of a field in a list of changed fields, and a word that its document has,
 * but its examples have not.
 */
function isKnown(difference: string, words: Map<string, unknown[]>): boolean {
  const [, field, word] = /\.(\w+)(?:\[\])? has the new word "(.+)"$/.exec(difference) ?? [];
  if (field === 'changed_fields') return true;
  return [...words].some(([name, known]) => name.endsWith(`.${field}`) && known.includes(word));
}

/**
 * An id carries a position, which its shape does not show. The last release has to read the position from today's ids.
 */
function* idsMadeOtherwise({ tables }: Examples): Generator<string> {
  for (const { id, sk } of [...tables.records.items, ...tables.webhooks.items].map(itemOf)) {
    if (typeof id !== 'string' || !/^\d{12}$/.test(String(sk))) continue;
    const [prefix = '', random = ''] = id.split('_');
    const seed = fromBase32(random.slice(-16)) as Uint8Array;
    if (recordId(prefix, Number(sk), seed) !== id) yield `ids of ${prefix} are made in another way`;
  }
}

test('the last release can read everything that this one writes, except the entries of `decided`', () => {
  const file = fileOfLastRelease('docs/contract/openapi.json');
  const before = file === undefined ? document : (JSON.parse(file) as OpenApi);
  const left = readReleased();
  vi.stubEnv(env.idKey, left.idKey);
  const words = wordsOf(before);
  const found = [
    ...[...differences(shapesOf(left), shapes)].filter((one) => !isKnown(one, words)),
    ...newWords(before, document),
    ...idsMadeOtherwise(left),
  ];
  const message = [whatToDo, ...found].join('\n');
  expect(decisionsAbout(found).sort(), message).toEqual(Object.keys(decided).sort());
});

describe('there is an example', () => {
  const whatIsMissing =
    'test/compatibility/story.ts has to include it (a field: content.ts), so that a test shows that the next release can read it.';

  test('of every kind of item that the files of the tables describe, and of no other', () => {
    for (const [name, { items, states }] of Object.entries(today.examples.tables)) {
      const table = name as keyof Tables<unknown>;
      const images = [...items, ...states];
      const found = images.map((image) => patternsOf(table, image));
      expect(images.filter((_, i) => found[i]?.length !== 1).map(keyOf)).toEqual([]);
      const patterns = kinds[table].map(({ pattern }) => pattern).sort();
      expect(patterns.length).toBeGreaterThan(0);
      expect([...new Set(found.flat())].sort(), whatIsMissing).toEqual(patterns);
    }
  });

  test('of every kind of item that a restore knows: what it does not know stays lost, and its exit code is 1', () => {
    for (const [name, { restorer }] of Object.entries(restorable)) {
      const { items, states } = today.examples.tables[name as keyof typeof restorable];
      const { kindOf } = restorer(undefined as unknown as Restoration);
      const unknown = [...items, ...states].filter((image) => kindOf(itemOf(image)) === undefined);
      expect(unknown.map(keyOf)).toEqual([]);
    }
  });

  test.runIf(isWhole)('of every write in lib to a table or a queue', () => {
    const handle = Object.keys(handles).join('|');
    const writes = new RegExp(
      `\\b(?:(?:Put|Update):|new (?:Put|Update|BatchWrite|SendMessage|SendMessageBatch)Command\\(|(?:${handle})\\.(?:put|update)\\()`,
      'g',
    );
    const locations = globSync('lib/**/*.ts', { cwd: root }).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(writes)].map(({ index }) => ({
        location: `${file}:${text.slice(0, index).split('\n').length}`,
        ran: today.ran(file, index),
      }));
    });
    expect(locations.length).toBeGreaterThan(60);
    expect(
      locations.filter(({ ran }) => !ran).map(({ location }) => location),
      whatIsMissing,
    ).toEqual([]);
  });

  test('of the input from every queue and stream of a function', async () => {
    const template = readTemplate(await currentAssembly(), { queueUrl: (id) => id });
    const sources = template
      .resources('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => JSON.stringify(properties.EventSourceArn));
    // The stream of the Webhooks table has keys of deliveries alone, and these are among the items.
    const tables = ['RecordsTable', 'WebhooksTable'].map((output) => template.output(output));
    const known = [...Object.keys(today.examples.messages), ...tables];
    expect(
      sources.filter((source) => !known.some((name) => source.includes(name))),
      whatIsMissing,
    ).toEqual([]);
    expect(known.filter((name) => !sources.some((source) => source.includes(name)))).toEqual([]);
  });

  test('of every event type, and of the kept answer of every operation with an Idempotency-Key', () => {
    const kindsNow = [...shapes.keys()].join('\n');
    for (const type of eventTypes) expect(kindsNow, whatIsMissing).toContain(`event (${type})`);
    const repeatable = (operations as readonly Operation[]).filter(({ requestHeaders }) =>
      requestHeaders?.includes('Idempotency-Key'),
    );
    for (const { id } of repeatable) {
      expect(kindsNow, whatIsMissing).toContain(`answer (${id})`);
      expect(today.examples.kept.map(({ operation }) => operation)).toContain(id);
    }
  });

  test.each(resourceTypes.map(collectionOf))(
    'of every field of a record ($type), not empty',
    ({ type, layout }) => {
      const shape = shapes.get(`records: <account>#<type>#<partition> <position> (${type})`);
      const isBlank = (name: string) =>
        [...(shape?.get(`.${name}`)?.forms ?? [])].every((form) => form === 'null');
      expect(Object.keys(layout).filter(isBlank), whatIsMissing).toEqual([]);
    },
  );

  test.each(declaredFields)('of every field in the type of %s%s', (kind, path, names) => {
    const shape = shapes.get(kind);
    const missing = names.filter((name) => !shape?.has(`${path}.${name}`));
    expect(missing, whatIsMissing).toEqual([]);
  });

  test('of a delivery in every status, and of a subscription in every status', () => {
    const words = wordsOf(document);
    for (const [schema, kind] of [
      ['WebhookDelivery', deliveries],
      ['WebhookSubscription', subscriptions],
    ] as const) {
      const statuses = words.get(`${schema}.status`)?.map((word) => `"${word}"`);
      const found = [...(shapes.get(kind)?.get('.status')?.forms ?? [])];
      expect(found.sort(), whatIsMissing).toEqual(statuses?.sort());
    }
  });
});
