import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { examplesPath } from '../../infra/ops/documents/lastRelease.ts';
import { isWhole } from '../support/run/extent.ts';
import { removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';
import type { Examples } from './examples.ts';
import { itemOf, type Tables } from './history.ts';
import { kindOf } from './kinds.ts';

/**
 * The examples of the last release.
 * @param filledIn replaces placeholders with values of this run
 */
export const readReleased = (filledIn = (text: string) => text): Examples =>
  JSON.parse(filledIn(readFileSync(join(root, examplesPath), 'utf8'))) as Examples;

/** Coverage as V8 writes it: how often each range of a file ran. */
interface Coverage {
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

export interface Today {
  examples: Examples;
  /** Whether the code at an offset of a file ran while the examples were made. The path is relative to the root. */
  ran(file: string, offset: number): boolean;
}

/** The examples of today's code. Which code ran is noted under `npm run test:all` alone: it takes as long as the examples. */
export async function examplesOfToday(): Promise<Today> {
  const folder = temporaryFolder();
  const file = join(folder, 'examples.json');
  const coverage = join(folder, 'coverage');
  await promisify(execFile)(
    process.execPath,
    [join(root, 'test', 'compatibility', 'examples.ts'), '--output', file],
    {
      cwd: root,
      env: { ...process.env, ...(isWhole ? { NODE_V8_COVERAGE: coverage } : {}) },
      maxBuffer: Number.POSITIVE_INFINITY,
    },
  );
  const scripts = globSync('*.json', { cwd: coverage }).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: Coverage[] }).result,
  );
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Examples;
  removeFolder(folder);
  return { examples, ran: (name, offset) => scripts.some((script) => hasRun(script, name, offset)) };
}

/** The smallest range around the offset decides. */
function hasRun({ url, functions }: Coverage, file: string, offset: number): boolean {
  if (url !== pathToFileURL(join(root, file)).href) return false;
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
  return (around[0]?.count ?? 0) > 0;
}

/**
 * All values of each kind that one release leaves for another. The images of a change are left out: the tables have
 * them.
 */
export function byKind({ tables, messages, keys, changes, failedChanges, testEvents }: Examples) {
  const found: [kind: string, value: unknown][] = [];
  for (const [table, { items, states }] of Object.entries(tables))
    for (const image of [...items, ...states])
      found.push([kindOf(table as keyof Tables<unknown>, image), itemOf(image)]);
  for (const [queue, bodies] of Object.entries(messages))
    for (const body of bodies) found.push([`message in ${queue}${resourceOf(body)}`, body]);
  for (const { context } of keys)
    if (context) found.push([`context of a key with ${context.access} access`, context]);
  for (const { dynamodb, ...change } of changes)
    found.push([`change by ${change.eventName}`, { ...change, dynamodb: withoutImages(dynamodb) }]);
  found.push(['failed changes', { ...failedChanges, payload: 'JSON' }]);
  for (const body of testEvents) found.push(['event of a test', body]);
  const groups = Map.groupBy(found, ([kind]) => kind);
  return new Map([...groups].map(([kind, values]) => [kind, values.map(([, value]) => value)]));
}

function resourceOf(body: string): string {
  const { resource } = JSON.parse(body) as { resource?: string };
  return resource === undefined ? '' : ` (${resource})`;
}

const withoutImages = ({ NewImage, OldImage, ...rest }: Examples['changes'][number]['dynamodb']) => ({
  ...rest,
  ...(NewImage ? { NewImage: {} } : {}),
  ...(OldImage ? { OldImage: {} } : {}),
});
