import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { functionFiles } from './functionFiles.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const shim = (name: string) => join(import.meta.dirname, 'shims', name);

/**
 * The options of esbuild. They decide how fast a Lambda starts, and each was measured.
 * - CommonJS: an ES module that imports node:http loads all of its exports, including undici, which takes 15 to 20 ms.
 * - mainFields: otherwise, packages of the SDK without an exports map would be in the bundle twice, which takes 36 ms.
 * - dynamic-import off: turns dynamic imports of the SDK into `require`, because a single file cannot load anything later.
 * - define, banner: Node loads modules when one of these globals is first mentioned. The SDK and zod only check whether the platform has such
 *   classes, nothing else uses `performance`, and node:crypto, which is loaded anyway, contains everything used of `crypto`. Together they took
 *   4 to 5 ms of a list.
 * - alias: Lambda puts credentials into the environment, and none of our commands use event streams or endpoint discovery. The three make up
 *   43, 6 and 2.5 % of the bundle of a list.
 * - no keepNames (5 to 10 ms), and no source map next to the code (see `bundle`), which takes 12 to 23 ms when Node reads it.
 */
export const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  define: {
    'process.env.NODE_ENV': '"production"',
    ReadableStream: 'undefined',
    Blob: 'undefined',
    navigator: 'undefined',
  },
  // Repeats the directive, because esbuild's own would come second, where it has no effect.
  banner: {
    js: '"use strict";const performance={now:()=>Number(process.hrtime.bigint())/1e6},crypto=require("node:crypto");',
  },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
  alias: {
    '@aws-sdk/credential-provider-node': shim('credentials.ts'),
    '@aws-sdk/endpoint-cache': shim('endpointCache.ts'),
    '@smithy/core/event-streams': shim('eventStreams.ts'),
  },
};

/**
 * Bundles every Lambda into `<into>/functions/<id>/index.js`. Each has its own folder, so that a change to one function redeploys only that one.
 * Source maps go to `<into>/maps`, and esbuild's metafile to `<into>/meta.json`; neither is deployed.
 * @param sourceMaps whether to create source maps, which takes as long again as the bundles
 * @returns the folder of each function, by its id
 */
export async function bundle(into: string, { sourceMaps = true } = {}): Promise<Map<string, string>> {
  const files = functionFiles(root);
  rmSync(into, { recursive: true, force: true });
  const { outputFiles = [], metafile } = await build({
    ...options,
    sourcemap: sourceMaps ? 'external' : false,
    entryPoints: [...files].map(([id, file]) => ({ in: file, out: id })),
    outdir: join(into, 'functions'),
    entryNames: '[name]/index',
  });
  for (const { path, contents } of outputFiles) {
    const target = path.endsWith('.map') ? path.replace(join(into, 'functions'), join(into, 'maps')) : path;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contents);
  }
  writeFileSync(join(into, 'meta.json'), JSON.stringify(metafile));
  const folders = new Map([...files.keys()].map((id) => [id, join(into, 'functions', id)]));
  // The project's package.json makes all .js files below it ES modules. This file makes the bundle CommonJS everywhere.
  for (const folder of folders.values()) writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  return folders;
}
