import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const suffixes = { 'Node.js': 'mjs', Python: 'py', Go: 'go', PHP: 'php', Ruby: 'rb' };

/** Functions that tell whether an event is genuine, each with nothing but the standard library of its language. */
export const verifiers = Object.entries(suffixes).map(([language, suffix]) => ({
  language,
  code: readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'clients', `verify.${suffix}`),
    'utf8',
  ).trimEnd(),
}));
