import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/stackProcess.ts';

const files = globSync(['functions/**/*.ts', 'lib/**/*.ts', 'infra/**/*.ts'], { cwd: root }).sort();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What a file imports of ours, below the root; and of others, by the name of the package. */
function importsOf(file: string): { ours: string[]; others: string[] } {
  const found = [...read(file).matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, name]) => name as string);
  return {
    ours: found
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(root, join(root, dirname(file), name))),
    others: found.filter((name) => !name.startsWith('.')),
  };
}

/** The rooms of lib in the order of the floor plan: each may import only itself and those before it. */
const rooms = ['', 'contract', 'dynamodb', 'keys', 'records', 'inbox', 'webhooks', 'http'];
const roomOf = (file: string): string => (file.split('/').length > 2 ? (file.split('/')[1] as string) : '');

describe('lib', () => {
  test.each(files.filter((file) => file.startsWith('lib/')))(
    '%s imports only from its own room and those above',
    (file) => {
      const { ours } = importsOf(file);
      expect(ours.filter((name) => !name.startsWith('lib/'))).toEqual([]);
      for (const name of ours)
        expect(rooms.indexOf(roomOf(name)), name).toBeLessThanOrEqual(rooms.indexOf(roomOf(file)));
    },
  );

  test('every folder is a room of the floor plan', () => {
    for (const file of files.filter((name) => name.startsWith('lib/'))) expect(rooms).toContain(roomOf(file));
  });
});

describe('files that CDK and the Lambdas both load', () => {
  const shared = files.filter((file) => /^\/\/ Loaded by CDK/.test(read(file)));

  test('are the contract, the names of the environment, the errors and the shapes of tables', () => {
    const contract = files.filter((file) => file.startsWith('lib/contract/'));
    expect(shared).toEqual(
      [
        ...contract,
        'lib/env.ts',
        'lib/errors.ts',
        'lib/keys/table.ts',
        'lib/records/table.ts',
        'lib/webhooks/table.ts',
      ].sort(),
    );
  });

  test.each(shared)('%s imports nothing but zod and its like', (file) => {
    const { ours, others } = importsOf(file);
    expect(others.filter((name) => name !== 'zod')).toEqual([]);
    expect(ours.filter((name) => !shared.includes(name))).toEqual([]);
  });
});

describe('infra', () => {
  const stacks = files.filter((file) => /^infra\/[^/]+\.ts$|^infra\/(bundle|monitoring)\//.test(file));

  test.each(stacks)('%s takes from lib only what both sides load', (file) => {
    for (const name of importsOf(file).ours.filter((one) => one.startsWith('lib/')))
      expect(read(name), name).toMatch(/^\/\/ Loaded by CDK/);
  });

  test.each(files.filter((file) => file.startsWith('infra/local/')))(
    '%s knows nothing of what the functions do',
    (file) => {
      const allowed = ['lib/contract/answer.ts', 'lib/errors.ts'];
      expect(
        importsOf(file).ours.filter((name) => name.startsWith('lib/') && !allowed.includes(name)),
      ).toEqual([]);
      expect(importsOf(file).ours.filter((name) => name.startsWith('functions/'))).toEqual([]);
    },
  );
});

describe('habits', () => {
  /** But for the guides: the programs in them are text, for others. */
  const programs = files.filter(
    (file) => !/^lib\/contract\/reference\/(guides|webhookGuide)\.ts$/.test(file),
  );

  test.each(files)('%s has the size of a file with one purpose', (file) => {
    const lines = read(file).split('\n').length - 1;
    const budget = file.startsWith('functions/') ? 20 : file.startsWith('lib/') ? 150 : 200;
    expect(lines).toBeLessThanOrEqual(budget);
  });

  test('zod comes in as a namespace: by name it is 350 KB more in every bundle', () => {
    for (const file of files) expect(read(file), file).not.toMatch(/import \{[^}]*\bz\b[^}]*\} from 'zod'/);
  });

  test('no literal has classes of letters: V8 reads through those of every literal while it loads a bundle', () => {
    for (const file of files.filter((name) => /^(functions|lib)\//.test(name)))
      expect(read(file), file).not.toMatch(/(?<=[\s(,=:[!&|])\/(?![/*])[^`\n]*\\p\{[LMN]\}/);
  });

  test('only lib/env.ts and lib/aws.ts read the environment of a Lambda', () => {
    const readers = programs.filter((file) => file.startsWith('lib/') && read(file).includes('process.env'));
    expect(readers).toEqual(['lib/aws.ts', 'lib/env.ts']);
  });

  test('only lib/webhooks/send.ts opens connections, and only lib/webhooks/address.ts asks the DNS', () => {
    const product = programs.filter((file) => /^(functions|lib)\//.test(file));
    const importersOf = (names: RegExp) =>
      product.filter((file) => importsOf(file).others.some((name) => names.test(name)));
    const network = /^(node:)?(_http_\w+|https?|http2|net|tls|dgram|quic)$|^(undici|axios|got|ws)\b/;
    expect(importersOf(network)).toEqual(['lib/webhooks/send.ts']);
    expect(importersOf(/^(node:)?dns\b/)).toEqual(['lib/webhooks/address.ts']);
    const globals = /\b(fetch|WebSocket|EventSource|getBuiltinModule)\b/;
    expect(product.filter((file) => globals.test(read(file)))).toEqual([]);
  });

  test('nothing listens on any address but 127.0.0.1', () => {
    for (const file of programs)
      for (const [call] of read(file).matchAll(/\.listen\([^)]*\)/g))
        expect(call, file).toContain("'127.0.0.1'");
  });
});

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; inBundle?: boolean }>;
  };

  test('has every optional dependency of every package, without which "npm ci" fails elsewhere', () => {
    const installed = Object.entries(packages).filter(([, { inBundle }]) => !inBundle);
    const missing = installed.flatMap(([name, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (optional) => !packages[`${name}/node_modules/${optional}`] && !packages[`node_modules/${optional}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test.each(['package.json', 'test/client/package.json'])('every version in %s is exact', (file) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
