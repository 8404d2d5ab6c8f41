import { type Contract, type Operation, operationsOf, type Placed, schemaIn } from './contract.ts';
import { descriptionOf } from './fieldRows.ts';
import { slugOf } from './html.ts';
import type { Page } from './layout.ts';
import { plain } from './markdown.ts';
import { languageNames } from './programs.ts';

/** An entry of the search: its address, its title, the title of its page, and the words that find it. */
export type Entry = [address: string, title: string, part: string, words: string];

/** Returns a text on one line, with programs replaced by the names of their languages. */
const short = (text: string): string =>
  plain(text.replace(/```(\w+)/g, (_, fence) => `${languageNames[fence] ?? ''} `))
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the sections of a guide. The text before the first heading is the guide itself. */
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

/** Returns the parameters and the body fields of an operation, each with its address. */
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

/** Returns the words of an operation: its description, its statuses and their headers. */
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
