import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageFiles } from '../../pages/referenceFiles.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { parseAddress } from '../optionValues.ts';

// npm run reference
// npm run reference -- https://api.example.com/v1

const folder = join(import.meta.dirname, '..', '..', '..', 'build', 'reference');

export const program = new OpsCommand('npm run reference --')
  .description('Build the reference as files for any server of static files')
  .argument('[address]', 'the address of the API, like https://api.example.com/v1', parseAddress)
  .action((url?: string) => {
    const server = url === undefined ? undefined : { url, description: 'This API.' };
    // The names of files change with their content.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, content } of pageFiles(server, { sends: server !== undefined }))
      writeFileSync(join(folder, name), content);
    console.log(`The reference is in ${folder}, for any server of static files.`);
  });

if (import.meta.main) await program.main();
