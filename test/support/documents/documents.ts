import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stack/stackProcess.ts';
import { blocksIn } from './prose.ts';

/** The documents of the project, by their path from the root. */
export const documents: ReadonlyMap<string, string> = new Map(
  ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root }).sort()].map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);

/** All documents, one after the other. */
export const prose: string = [...documents.values()].join('\n');

export const runbook = documents.get('docs/runbook.md') as string;

/** The code block with this language and name after its fence, from all documents. */
export function block(fence: string): string {
  const found = blocksIn(prose, fence);
  if (found.length !== 1) throw new Error(`The documents have ${found.length} blocks "${fence}"`);
  return found[0] as string;
}
