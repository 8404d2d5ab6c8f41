import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** How zod writes JSON Schema: every schema knows how to, and no Lambda asks for it. 15 KB of each bundle. */
const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;

/** Of which a client of the SDK wants to know no more than its own version, for the User-Agent. 2.4 KB for each client. */
const clientPackage = /[\\/]@aws-sdk[\\/]client-\w+[\\/]package\.json$/;

const exported = /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm;

/** Leaves out of the bundles what is imported there and never used; no alias reaches it, as the imports are relative. */
export const emptied: Plugin = {
  name: 'emptied',
  setup(build) {
    build.onLoad({ filter: jsonSchema }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(exported)].map(
        ([, name, alias]) => name ?? alias,
      );
      return {
        contents: `const none = () => () => undefined;\nexport { ${names.map((name) => `none as ${name}`).join(', ')} };`,
      };
    });
    build.onLoad({ filter: clientPackage }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
