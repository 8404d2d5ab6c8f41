import { readFileSync } from 'node:fs';
import { openapiFile } from '../../../infra/ops/documents/openapi.ts';
import { inboxSchemaFile } from '../../../infra/ops/documents/schemas.ts';

/** Every pattern in a schema. */
function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    if (name === 'pattern' && typeof inner === 'string') yield inner;
    else yield* patternsIn(inner);
}

/** The published files with patterns. */
export const publishedFiles = [openapiFile, inboxSchemaFile];

/** Every pattern in the published files, once. */
export const publishedPatterns = [
  ...new Set(publishedFiles.flatMap((file) => [...patternsIn(JSON.parse(readFileSync(file, 'utf8')))])),
];
