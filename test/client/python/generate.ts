import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

// Makes types for Python of all components of the document.

const folder = join(import.meta.dirname, '..');
const schema = readFileSync(join(folder, '..', '..', 'docs', 'contract', 'openapi.json'), 'utf8');
const { components } = JSON.parse(schema) as { components: { schemas: Record<string, object> } };
const uris = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);

const schemas = new JSONSchemaInput(undefined);
await schemas.addSource({ name: 'Api', schema, uris });
const inputData = new InputData();
inputData.addInput(schemas);
const { lines } = await quicktype({ inputData, lang: 'python' });
writeFileSync(join(folder, 'build', 'api.py'), lines.join('\n'));
