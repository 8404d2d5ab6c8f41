import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiFile, pageFiles } from '../reference/page.ts';

// npm run reference

const folder = join(import.meta.dirname, '..', '..', 'build', 'reference');

mkdirSync(folder, { recursive: true });
for (const { name, content } of [...pageFiles(), openapiFile()]) writeFileSync(join(folder, name), content);
console.log(`The reference is in ${folder}, for any server of static files.`);
