import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** How zod writes JSON Schema: every schema knows how to, and no Lambda asks for it. 15 KB of each bundle. */
const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;

/** Of which a client of the SDK wants to know no more than its own version, for the User-Agent. 2.4 KB for each client. */
const clientPackage = /[\\/]@aws-sdk[\\/]client-\w+[\\/]package\.json$/;

/** How the SDK reads ~/.aws, where a Lambda has nothing. With it Node loads fs/promises, and ten modules for that. */
const awsFiles = /[\\/]shared-ini-file-loader[\\/]readFile\.js$/;

/** How the SDK makes UUIDs: by the global `crypto`, at whose first mention Node loads WebCrypto. node:crypto is there anyway. */
const uuid = /[\\/]serde[\\/]uuid[\\/]v4\.js$/;

/**
 * Classes that nothing of ours asks for anything: MD5 and SHA-256 in JavaScript, for a Node that has none of its own; the
 * signatures of event streams; the pace of the retry mode "adaptive". 10 KB of each bundle that sends to a queue.
 */
const classes =
  /[\\/](?:checksum[\\/](?:md5[\\/]Md5Js|sha256[\\/]Sha256Js)|signature-v4[\\/]dist-es[\\/]HeaderFormatter|util-retry[\\/]DefaultRateLimiter)\.js$/;

const exported = /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm;

/**
 * Leaves out of the bundles what is imported there and never used, or does little for what it costs; no alias reaches it, as the
 * imports are relative.
 */
export const emptyModules: Plugin = {
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
    build.onLoad({ filter: awsFiles }, () => ({
      contents:
        "export const filePromises = {}; export const fileIntercept = {}; export const readFile = async () => '';",
    }));
    build.onLoad({ filter: classes }, ({ path }) => ({
      contents: `export class ${basename(path, '.js')} {}`,
    }));
    build.onLoad({ filter: uuid }, ({ path }) => ({
      contents: "import { randomUUID } from 'node:crypto'; export const bindV4 = () => () => randomUUID();",
      resolveDir: dirname(path),
    }));
    build.onLoad({ filter: clientPackage }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
