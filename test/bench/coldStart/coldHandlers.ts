import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { options } from '../../../infra/stacks/bundle/bundle.ts';

/** A handler, as it would be deployed. */
export interface Handler {
  name: string;
  file: string;
}

/** Handlers that list contacts: our own is the first. */
export async function coldHandlers(folder: string): Promise<[Handler, Handler]> {
  const template = readTemplate(await currentAssembly(), { queueUrl: () => '' });
  const list = template.resources('AWS::Lambda::Function').find(({ id }) => id.includes('listContacts'));
  if (!list) throw new Error('The template has no function that lists contacts');
  const { S3Key } = list.properties.Code as { S3Key: string };
  mkdirSync(folder, { recursive: true });
  // Not `.js`: the folder has no package.json that says what such a file is.
  const outfile = join(folder, 'index.cjs');
  const entryPoints = [join(import.meta.dirname, 'bare.ts')];
  await build({ ...options, entryPoints, outfile, sourcemap: false, write: true });
  return [
    { name: 'listContacts', file: join(template.codeFolder(S3Key), 'index.js') },
    { name: 'AWS SDK, bundled like ours', file: outfile },
  ];
}
