import { type Contract, type Operation, operationsOf, type Placed, schemaIn } from './contract.ts';
import { descriptionOf } from './fields.ts';
import { slugOf } from './html.ts';
import type { Page } from './layout.ts';
import { plain } from './markdown.ts';
import { languageNames } from './programs.ts';

/** An entry of the search: its place, its title, what that is part of, and the words by which it is found. */
export type Entry = [address: string, title: string, part: string, words: string];

/** A text in one line, in which programs have the names of their languages. */
const short = (text: string): string =>
  plain(text.replace(/```(\w+)/g, (_, fence) => `${languageNames[fence] ?? ''} `))
    .replace(/\s+/g, ' ')
    .trim();

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

/** The parameters and the fields of the body of an operation, each at its place. */
function fieldsOf(
  contract: Contract,
  { operationId, summary, parameters = [], requestBody }: Placed,
): Entry[] {
  const { properties = {} } = schemaIn(contract, requestBody?.content['application/json'].schema ?? {});
  return [
    ...parameters.map(({ in: place, name, description }) => ({ place: place as string, name, description })),
    ...Object.entries(properties).map(([name, schema]) => ({
      place: 'body',
      name,
      description: descriptionOf(contract, schema),
    })),
  ].map(({ place, name, description }) => [
    `${operationId}.html#${place}.${name}`,
    name,
    `${summary} · ${place}`,
    short(description),
  ]);
}

/** The words of an operation: its description, its statuses and their headers. */
const wordsOf = ({ description, responses }: Operation): string =>
  [
    short(description),
    ...new Set(
      Object.entries(responses).flatMap(([status, { headers = {} }]) => [status, ...Object.keys(headers)]),
    ),
  ].join(' ');

export const searchEntries = (contract: Contract, guides: readonly Page[]): Entry[] => [
  ...guides.flatMap(sectionsOf),
  ...operationsOf(contract).flatMap((one): Entry[] => [
    [`${one.operationId}.html`, one.summary, `${one.operationId} · ${one.method} ${one.path}`, wordsOf(one)],
    ...fieldsOf(contract, one),
  ]),
  ...Object.entries(contract.webhooks).map(
    ([type, { post }]): Entry => [`events.html#${type}`, type, 'Event', short(post.description)],
  ),
];
