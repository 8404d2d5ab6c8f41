import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { emptyModules } from './emptyModules.ts';
import { functionFiles } from './functionFiles.ts';

const root = join(import.meta.dirname, '..', '..');
const shim = (name: string) => join(import.meta.dirname, 'shims', name);

/**
 * The options that decide how fast a Lambda starts; each was measured.
 * CommonJS: a bundle of ES modules that imports node:http reads every export of it, undici included, at 15-20 ms.
 * mainFields: the SDK's packages that have no exports map would otherwise come in twice, at 36 ms.
 * dynamic-import off: makes a `require` of the SDK's deferred imports, which one file cannot defer anyway.
 * No keepNames (5-10 ms) and no source map beside the code (12-23 ms when Node reads it).
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
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  sourcemap: 'external',
  metafile: true,
  write: false,
  logLevel: 'warning',
  alias: {
    '@aws-sdk/credential-provider-node': shim('credentials.ts'),
    '@aws-sdk/endpoint-cache': shim('endpointCache.ts'),
    '@smithy/core/event-streams': shim('eventStreams.ts'),
  },
  plugins: [emptyModules],
};

/**
 * Bundles every Lambda: `<into>/functions/<id>/index.js`, a folder each, so that a change of one function deploys that
 * one. Source maps and esbuild's account of what went in stay beside, for those who look into an error or a size.
 * @returns the folder of each function, by its id
 */
export async function bundle(into: string): Promise<Map<string, string>> {
  const files = functionFiles(root);
  rmSync(into, { recursive: true, force: true });
  const { outputFiles = [], metafile } = await build({
    ...options,
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
  // Says what the file is wherever it lies: below this project's package.json it would count as an ES module.
  for (const folder of folders.values()) writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  return folders;
}
