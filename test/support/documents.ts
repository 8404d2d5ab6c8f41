import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksIn } from './prose.ts';
import { root } from './stackProcess.ts';

/** What people read of the project: the README, then `docs/`. By the file's path from the root. */
export const documents: ReadonlyMap<string, string> = new Map(
  ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()].map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);

/** All documents, one after the other. */
export const prose: string = [...documents.values()].join('\n');

export const runbook = documents.get('docs/runbook.md') as string;

/** The code blocks of a language in all documents, in their order. */
export const blocks = (language: string): string[] => blocksIn(prose, language);
