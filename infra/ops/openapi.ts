import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '../../lib/contract/openapi.ts';

// npm run openapi

const root = join(import.meta.dirname, '..', '..');
export const openapiFile = join(root, 'openapi.json');

export const openapiText = (): string => `${JSON.stringify(openapi(), null, 2)}\n`;

if (import.meta.main) writeFileSync(openapiFile, openapiText());
