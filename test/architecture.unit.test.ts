import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, madeByRuns, sourceOf, sources } from './support/documents/sources.ts';
import { root } from './support/stack/stackProcess.ts';

describe('the network', () => {
  test('only lib/webhooks/sending/receiverConnection.ts opens connections, and only lib/webhooks/sending/receiverAddress.ts asks the DNS', () => {
    const product = sources.filter((file) => /^(functions|lib)\//.test(file));
    const importersOf = (names: RegExp) =>
      product.filter((file) => importsOf(file).others.some((name) => names.test(name)));
    const network = /^(node:)?(_http_\w+|https?|http2|net|tls|dgram|quic)$|^(undici|axios|got|ws)\b/;
    expect(importersOf(network)).toEqual(['lib/webhooks/sending/receiverConnection.ts']);
    expect(importersOf(/^(node:)?dns\b/)).toEqual(['lib/webhooks/sending/receiverAddress.ts']);
    const globals = /\b(fetch|WebSocket|EventSource|getBuiltinModule)\b/;
    expect(product.filter((file) => globals.test(sourceOf(file)))).toEqual([]);
  });

  test('nothing listens on any address but 127.0.0.1', () => {
    for (const file of sources)
      for (const [call] of sourceOf(file).matchAll(/\.listen\([^)]*\)/g))
        expect(call, file).toMatch(/['"]127\.0\.0\.1['"]/);
  });
});

/** The folders with a lock file: the root, and what few commands and tests need. */
const lockFolders = globSync('**/package-lock.json', { cwd: root, exclude: madeByRuns }).map(dirname).sort();

test('the root has a lock file, and so has what only few commands and tests need', () => {
  expect(lockFolders).toEqual(['.', 'test/client', 'test/openapiLint', 'test/product', 'test/recheck']);
});

describe.each(lockFolders)('the packages of %s', (folder) => {
  const { packages } = JSON.parse(sourceOf(join(folder, 'package-lock.json'))) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; inBundle?: boolean }>;
  };

  test('the lock file has every optional dependency of every package, without which "npm ci" fails elsewhere', () => {
    const installed = Object.entries(packages).filter(([, { inBundle }]) => !inBundle);
    const missing = installed.flatMap(([name, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (optional) => !packages[`${name}/node_modules/${optional}`] && !packages[`node_modules/${optional}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('every version is exact', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      sourceOf(join(folder, 'package.json')),
    );
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });
});

test('the lock file has Node and the database for each system, so that "npm ci" there installs its own and nothing else', () => {
  const { optionalDependencies } = JSON.parse(sourceOf('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(sourceOf('package-lock.json')) as {
    packages: Record<string, { version: string; os: string | string[]; cpu: string | string[] }>;
  };
  const systems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];
  for (const name of ['@dynoxide/', 'node-'])
    expect(
      Object.keys(optionalDependencies).filter((one) => one.startsWith(name)),
      name,
    ).toEqual(systems.map((system) => expect.stringMatching(new RegExp(`^${name}(bin-)?${system}$`))));
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const locked = packages[`node_modules/${name}`];
    const system = [locked?.os, locked?.cpu].flat().join('-');
    expect([locked?.version, systems.includes(system), name.endsWith(system)], name).toEqual([
      version,
      true,
      true,
    ]);
  }
});
