import { type Contract, type Operation, operationsOf, type Schema, schemaIn } from './contract.ts';
import { objectsIn } from './fields.ts';
import { slugOf } from './html.ts';
import type { Page } from './layout.ts';
import { plain } from './markdown.ts';

/** What the search can find: where it is, its title, what that is part of, and the words by which it is found. */
export type Entry = [address: string, title: string, part: string, words: string];

const short = (text: string): string => plain(text).replace(/\s+/g, ' ').trim();

/** The sections of a guide: what stands before its first heading is the guide itself. */
function sectionsOf({ name, title, markdown }: Page): Entry[] {
  const [first = '', ...sections] = markdown.replace(/^# .*\n/, '').split(/^## /m);
  return [
    [name, title, 'Guide', short(first)],
    ...sections.map((text): Entry => {
      const [heading = '', ...lines] = text.split('\n');
      return [`${name}#${slugOf(heading)}`, heading, title, short(lines.join('\n'))];
    }),
  ];
}

/** The names of all fields of a schema, also of the objects in it. */
function namesIn(contract: Contract, schema: Schema | undefined, seen = new Set<unknown>()): string[] {
  if (!schema) return [];
  const whole = schemaIn(contract, schema);
  if (seen.has(whole)) return [];
  seen.add(whole);
  const properties = Object.entries(whole.properties ?? {});
  return properties.flatMap(([name, one]) => [
    name,
    ...objectsIn(contract, one).flatMap((object) => namesIn(contract, object, seen)),
  ]);
}

/** The words of an operation: its description, fields, statuses and headers. */
function wordsOf(contract: Contract, operation: Operation): string {
  const { description, parameters = [], requestBody, responses } = operation;
  const bodies = [requestBody, ...Object.values(responses)].flatMap((one) => {
    const schema = one?.content?.['application/json'].schema;
    return schema?.allOf ?? [schema];
  });
  const names = [
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap((schema) => namesIn(contract, schema)),
    ...Object.keys(responses),
    ...Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  ];
  return `${short(description)} ${[...new Set(names)].join(' ')}`;
}

export const searchEntries = (contract: Contract, guides: readonly Page[]): Entry[] => [
  ...guides.flatMap(sectionsOf),
  ...operationsOf(contract).map(
    (one): Entry => [
      `${one.operationId}.html`,
      one.summary,
      `${one.operationId} · ${one.method} ${one.path}`,
      wordsOf(contract, one),
    ],
  ),
  ...Object.entries(contract.webhooks).map(
    ([type, { post }]): Entry => [`events.html#${type}`, type, 'Event', wordsOf(contract, post)],
  ),
];
