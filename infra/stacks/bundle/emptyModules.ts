import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** Zod's conversion to JSON Schema. No Lambda uses it, and it takes 15 KB of each bundle. */
const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;

/** Zod's sentences in English. Every rule of the contract has its own; these take 2.6 KB of each bundle. */
const sentences = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;

/** Zod's readers of values that contain themselves. JSON has none, and they take 3 KB of each bundle. */
const cycles = /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/;

/** Zod's methods for formats of texts. The contract has formats of its own; these take 11 KB of each bundle. */
const methods = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;
const ofFormat = /^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},$/gm;

/** The SDK's list of regions. Their names for people take 1.6 KB of each bundle, and nothing shows them. */
const regions = /[\\/]util-endpoints[\\/]lib[\\/]aws[\\/]partitions\.js$/;

/** The package.json of an SDK client. The client reads only its version, for the User-Agent. The rest takes 2.4 KB for each client. */
const clientPackage = /[\\/]@aws-sdk[\\/]client-\w+[\\/]package\.json$/;

/**
 * The SDK's classes of errors, with their base. Each sets the prototype of what it makes, which only classes that are compiled to
 * functions need, and all or none may do; and most have a constructor for a name and a fault that are fields of the class, too. Both take
 * 6 KB of each bundle that sends to a queue.
 */
const errors = /[\\/]@aws-sdk[\\/]client-\w+[\\/]dist-es[\\/]models[\\/](?:errors|\w+ServiceException)\.js$/;
const ofFields =
  /^ {4}constructor\(opts\) \{\n {8}super\(\{\n {12}name: "\w+",\n {12}\$fault: "\w+",\n {12}\.\.\.opts,\n {8}\}\);\n {8}Object.*\n {4}\}$/gm;
const ofFunctions = /^ +Object\.setPrototypeOf\(this, \w+\.prototype\);$/gm;

/** The SDK's reader of ~/.aws, which a Lambda does not have. It makes Node load fs/promises and ten more modules. */
const awsFiles = /[\\/]shared-ini-file-loader[\\/]readFile\.js$/;

/** The SDK's question for the region of a machine. A Lambda has it in AWS_REGION. */
const machineRegion = /[\\/]regionConfig[\\/]getInstanceMetadataRegion\.js$/;

/** The SDK's readers of times, which take 4 KB of each bundle: `Date` reads all of their forms. */
const times = /[\\/]serde[\\/]date-utils\.js$/;

/** The SDK's UUIDs. It uses the global `crypto`, which makes Node load WebCrypto. node:crypto is loaded anyway. */
const uuid = /[\\/]serde[\\/]uuid[\\/]v4\.js$/;

/**
 * Classes that are never used here: MD5 and SHA-256 in JavaScript, for platforms without them; signatures of event streams; the rate
 * limiter of the retry mode "adaptive". They take 10 KB of each bundle that sends to a queue.
 */
const classes =
  /[\\/](?:checksum[\\/](?:md5[\\/]Md5Js|sha256[\\/]Sha256Js)|signature-v4[\\/]dist-es[\\/]HeaderFormatter|util-retry[\\/]DefaultRateLimiter)\.js$/;

/**
 * The schemas of answers. The document and the tests read them, and no Lambda does. They take up to 66 KB of a bundle: one that reads a
 * record needs no zod at all without them.
 */
const declarations = /[\\/]lib[\\/](?:contract|resources)[\\/].*\.ts$/;
const answers = /(success: \{\s+status: \d+,\s+body: )(?:\/\* @__PURE__ \*\/ )?\w+(?:\(\w+\))?(?=,| \})/g;

const exported = /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm;

/**
 * Replaces modules that are imported but not needed by smaller ones. esbuild's `alias` cannot do it, because these imports are
 * relative. And drops of our own declarations what no Lambda reads.
 */
export const emptyModules: Plugin = {
  name: 'emptyModules',
  setup(build) {
    build.onLoad({ filter: jsonSchema }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(exported)].map(
        ([, name, alias]) => name ?? alias,
      );
      return {
        contents: `const none = () => () => undefined;\nexport { ${names.map((name) => `none as ${name}`).join(', ')} };`,
      };
    });
    build.onLoad({ filter: sentences }, () => ({
      contents: "export default () => ({ localeError: () => 'is not valid' });",
    }));
    build.onLoad({ filter: cycles }, () => ({
      contents:
        'export class $ZodCyclicError extends Error {} const none = () => undefined; export { none as memoizer, none as isBackEdge, none as isRecursiveSchema };',
    }));
    build.onLoad({ filter: methods }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(ofFormat, ''),
    }));
    build.onLoad({ filter: declarations }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(answers, '$1undefined'),
      loader: 'ts',
    }));
    build.onLoad({ filter: regions }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/"description": "[^"]*"/g, ''),
    }));
    build.onLoad({ filter: errors }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(ofFields, '').replaceAll(ofFunctions, ''),
      resolveDir: dirname(path),
    }));
    build.onLoad({ filter: awsFiles }, () => ({
      contents:
        "export const filePromises = {}; export const fileIntercept = {}; export const readFile = async () => '';",
    }));
    build.onLoad({ filter: machineRegion }, () => ({
      contents: 'export const getInstanceMetadataRegion = async () => undefined;',
    }));
    build.onLoad({ filter: times }, () => ({
      contents:
        'const read = (value) => value == null ? undefined : new Date(value);' +
        'export { read as parseRfc3339DateTime, read as parseRfc3339DateTimeWithOffset, read as parseRfc7231DateTime };' +
        'export const parseEpochTimestamp = (value) => value == null ? undefined : new Date(1000 * value);' +
        'export const dateToUtcString = (date) => date.toUTCString();',
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
