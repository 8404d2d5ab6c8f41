import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageFiles } from '../reference/page.ts';

// npm run reference
// npm run reference -- https://api.example.com/v1

const folder = join(import.meta.dirname, '..', '..', 'build', 'reference');

const [address] = process.argv.slice(2);
if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
  console.error(`The address of the API must be one like "https://api.example.com/v1", and is "${address}".`);
  process.exit(1);
}
const server = address === undefined ? undefined : { url: address, description: 'This API.' };

mkdirSync(folder, { recursive: true });
for (const { name, content } of pageFiles(server)) writeFileSync(join(folder, name), content);
console.log(`The reference is in ${folder}, for any server of static files.`);
