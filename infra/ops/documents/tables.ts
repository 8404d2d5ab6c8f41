import { join } from 'node:path';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { operations } from '../../../lib/contract/index.ts';
import { resourceTypes } from '../../../lib/resources/index.ts';
import { filterRow } from '../../pages/reference/prose/listGuide.ts';

export const tablesFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'contract', 'tables.md');

const requestOf = ({ method, scope }: (typeof operations)[number]): string =>
  `\`${method}\` ${scope === null ? 'any valid key' : [scope].flat().join(' or ')}`;

const eventsOf = Object.groupBy(eventTypes, (type) => type.split('.')[0] as string);

/** The operations, filters and types of events as tables for people. */
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
