import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapi } from '../../reference/openapi.ts';
import { OpsCommand } from '../command.ts';

// npm run openapi

const root = join(import.meta.dirname, '..', '..', '..');
export const openapiFile = join(root, 'openapi.json');

export const openapiText = (): string => `${JSON.stringify(openapi(), null, 2)}\n`;

export const program = new OpsCommand('npm run openapi')
  .description('Write openapi.json, the contract as OpenAPI 3.1')
  .action(() => writeFileSync(openapiFile, openapiText()));

if (import.meta.main) await program.main();
