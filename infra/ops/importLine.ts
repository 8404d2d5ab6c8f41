import { problemsOf, shown } from '../../lib/contract/problems.ts';
import { depthMax, structureOf } from '../../lib/json.ts';
import type { Stored } from '../../lib/records/collection.ts';
import type { Entry } from '../../lib/records/upsert.ts';
import { type Importable, toEntry } from './importResources.ts';
import type { Line } from './lines.ts';

/** What a line says, or why it cannot be imported. */
export type Checked = { entry: Entry<Stored> } | { problems: string[] };

/** Checks a line as the API checks a body. */
export function checkLine({ schema }: Importable, { text, problem }: Line): Checked {
  if (problem !== undefined) return { problems: [problem] };
  const { depth, repeated } = structureOf(text);
  if (depth > depthMax) return { problems: [`the line must not be nested deeper than ${depthMax} levels`] };
  const parsed = parse(text);
  if (!parsed) return { problems: ['the line is not valid JSON'] };
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problems: ['must be a JSON object'] };
  if (repeated.length > 0)
    return { problems: [`the line has ${shown(repeated[0] as string)} more than once in one object`] };
  const { data, error } = schema().safeParse(value);
  if (error) return { problems: problemsOf(error) };
  const entry = toEntry(data);
  if (entry.content.external_id !== null) return { entry };
  return {
    problems: ['external_id is required here: without it the line would make a new record each time'],
  };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
