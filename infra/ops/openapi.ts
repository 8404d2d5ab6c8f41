import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '../../lib/contract/openapi.ts';

// npm run openapi
// npm run openapi -- --release

const root = join(import.meta.dirname, '..', '..');
export const openapiFile = join(root, 'openapi.json');

/** What clients rely on: the document as it was when it was last released, without its prose and examples. */
export const releasedFile = join(root, 'test', 'lib', 'contract', 'openapi.released.json');

export const openapiText = (): string => `${JSON.stringify(openapi(), null, 2)}\n`;

const prose = new Set(['description', 'summary', 'example', 'examples']);

/** A field may be called as prose is, and is an object then, or stands in a list of names. */
const withoutProse = (key: string, value: unknown): unknown =>
  prose.has(key) && (typeof value === 'string' || key.startsWith('example')) ? undefined : value;

if (import.meta.main) {
  writeFileSync(openapiFile, openapiText());
  if (process.argv.includes('--release'))
    writeFileSync(releasedFile, `${JSON.stringify(openapi(), withoutProse, 1)}\n`);
}
