import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundledByCdk, bundledLikeOurs, ours } from '../handlers/bundled.ts';

/** A handler, as it would be deployed. */
export interface Handler {
  name: string;
  file: string;
}

const bare = (name: string): string => join(import.meta.dirname, '../bare', `${name}.ts`);

/** Handlers that list contacts: our own is the first. */
export async function coldHandlers(folder: string): Promise<[Handler, ...Handler[]]> {
  const into = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  return [
    { name: 'listContacts', file: await ours('listContacts') },
    {
      // With the SDK: by default it is the one of Lambda's own runtime, which this machine does not have.
      name: "AWS SDK, by CDK's defaults",
      file: bundledByCdk(bare('sdk'), into('defaults'), { bundleAwsSDK: true }),
    },
    { name: 'AWS SDK, bundled like ours', file: await bundledLikeOurs(bare('sdk'), into('like-ours')) },
  ];
}
