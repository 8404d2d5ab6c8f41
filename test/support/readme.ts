import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stackProcess.ts';

export const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The code blocks of a language, in their order. */
export const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code as string,
  );
