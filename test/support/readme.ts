import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksIn } from './prose.ts';
import { root } from './stackProcess.ts';

export const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The code blocks of a language, in their order. */
export const blocks = (language: string): string[] => blocksIn(readme, language);
