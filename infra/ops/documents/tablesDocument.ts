import { join } from 'node:path';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { operations } from '../../../lib/contract/index.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { type ResourceType, resources, resourceTypes, wordsFor } from '../../../lib/resources/index.ts';
import { recordQuery } from '../../../lib/schemas/filters.ts';

export const tablesFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'contract', 'tables.md');

const requestOf = ({ method, scope }: (typeof operations)[number]): string =>
  `\`${method}\` ${scope === null ? 'any valid key' : [scope].flat().join(' or ')}`;

const eventsOf = Object.groupBy(eventTypes, (type) => type.split('.')[0] as string);

const common = Object.keys(recordQuery('any', {}).shape);

/** How filters compare values, by type. */
const forms: Record<string, string> = {
  email: ' in any letter case',
  line: ' in any letter case',
  phone: ' by its digits',
  tags: ' up to ten times',
};

/** Returns the row of a list in the table of filters. */
function filterRow(type: ResourceType): string {
  const own = Object.keys(documents[type].list.query().shape).filter((name) => !common.includes(name));
  const { values } = collectionOf(type).filters;
  const kindOf = (name: string) => values.find((field) => field.name === name)?.source?.split(' ')[1] ?? '';
  const cells = own.map((name) => `\`${name}\`${forms[kindOf(name)] ?? ''}`);
  return `| ${wordsFor(resources[type])} | ${cells.join(', ')} |`;
}

/** Returns the operations, filters and event types as tables for people. */
export const tablesText = (): string => `# Tables of the contract

\`npm run openapi\` writes this file.

## Operations

| Path | Requests, each with its scope |
|---|---|
${Object.entries(Object.groupBy(operations, ({ path }) => path))
  .map(([path, some = []]) => `| \`${path}\` | ${some.map(requestOf).join(', ')} |`)
  .join('\n')}

## Filters

| List | Filters |
|---|---|
${resourceTypes.map(filterRow).join('\n')}

## Events

| Pattern | Types |
|---|---|
${Object.entries(eventsOf)
  .map(
    ([about, types = []]) =>
      `| \`${about}.*\` | ${types.map((type) => `\`${type.split('.')[1]}\``).join(', ')} |`,
  )
  .join('\n')}
`;
