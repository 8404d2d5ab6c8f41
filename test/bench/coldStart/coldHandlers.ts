import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { bundledByCdk, bundledLikeOurs, ours } from '../handlers/bundled.ts';

/** A handler, as it would be deployed. */
export interface Handler {
  name: string;
  file: string;
}

const bare = (name: string): string => join(import.meta.dirname, '../bare', `${name}.ts`);

/** What has to be there for an ES module that holds packages which are none. */
const requireForModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Handlers that list contacts: our own is the first, and the least that a list takes is the last. */
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
    {
      name: 'AWS SDK, minified ES module',
      file: bundledByCdk(bare('sdk'), into('module'), {
        bundleAwsSDK: true,
        format: OutputFormat.ESM,
        minify: true,
        mainFields: ['module', 'main'],
        banner: requireForModules,
      }),
    },
    { name: 'AWS SDK, bundled like ours', file: await bundledLikeOurs(bare('sdk'), into('like-ours')) },
    { name: 'no SDK', file: await bundledLikeOurs(bare('floor'), into('floor')) },
  ];
}
