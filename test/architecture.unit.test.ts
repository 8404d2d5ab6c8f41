import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/stack/stackProcess.ts';

/** What an installation or a run leaves among the files. */
const madeByRuns = ['**/node_modules/**', 'test/client/build/**'];
const files = globSync(['functions/**/*.ts', 'lib/**/*.ts', 'infra/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: madeByRuns,
}).sort();
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

/** What has a folder of its own, in the order of the floor plan: each imports only itself and those before it. */
const rooms = [
  '',
  'errors',
  'logs',
  'values',
  'aws',
  'dynamodb',
  'resources',
  'contract',
  'activity',
  'keys',
  'records',
  'lists',
  'feed',
  'outbox',
  'inbox',
  'webhooks',
  'usage',
  'console',
  'http',
];

/** The parts of these, in order: each imports only itself and those before it. A file that is not named here is above all. */
const floors: Record<string, readonly string[]> = {
  'lib/webhooks': [
    'model',
    'queue',
    'sending',
    'receivers',
    'deliveries',
    'erasure',
    'events',
    'recovery',
    'log',
    'redelivery',
    'subscriptions',
  ],
  infra: ['terminal', 'pages', 'stacks', 'local', 'ops'],
  'infra/stacks': [
    'acknowledgeFindings.ts',
    'permissions.ts',
    'stages',
    'bundle',
    'site',
    'data',
    'access',
    'api',
    'pipeline',
    'monitoring',
    'console',
    'reference',
  ],
};
const roomOf = (file: string): string => (file.split('/').length > 2 ? (file.split('/')[1] as string) : '');

describe('folders', () => {
  test.each(Object.entries(floors))('no part of %s imports from one above it', (folder, order) => {
    const floorOf = (file: string): number => {
      const part = order.indexOf(relative(folder, file).split('/')[0] as string);
      return part < 0 ? order.length : part;
    };
    const inside = files.filter((file) => file.startsWith(`${folder}/`));
    const up = inside.flatMap((file) =>
      importsOf(file)
        .ours.filter((name) => name.startsWith(`${folder}/`) && floorOf(name) > floorOf(file))
        .map((name) => `${file} → ${name}`),
    );
    expect(up).toEqual([]);
    const folders = inside.filter((file) => relative(folder, file).includes('/'));
    const parts = new Set(folders.map((file) => relative(folder, file).split('/')[0]));
    expect([...parts].sort()).toEqual(order.filter((part) => !part.includes('.')).sort());
  });

  test('no file imports itself through others', () => {
    const known = new Set(files);
    const imports = new Map(
      files.map((file) => [file, importsOf(file).ours.filter((one) => known.has(one))]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      if (way.includes(file) || done.has(file)) return;
      for (const next of imports.get(file) as string[]) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});

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

/**
 * What CDK loads at synth and Lambdas load, too: the contract, the names of the environment, the errors, and the shapes of tables.
 */
const shared = files.filter((file) =>
  /^lib\/((?:contract|errors|resources|values)\/.+|env|\w+\/(?:model\/)?table)\.ts$/.test(file),
);

/** What only the document of the contract is made of. */
const document =
  /^lib\/(contract\/(index|console\/index|webhookEvents)|resources\/(documents|\w+\.reference))\.ts$/;

describe('files that CDK and the Lambdas both load', () => {
  test.each(shared)('%s imports nothing but zod and its like', (file) => {
    const { ours, others } = importsOf(file);
    expect(others.filter((name) => name !== 'zod' && name !== 'zod/v4/core')).toEqual([]);
    expect(ours.filter((name) => !shared.includes(name))).toEqual([]);
  });

  test('no Lambda loads the document or the list of all operations: its bundle would hold them', () => {
    // The one function of the console answers all of its operations.
    const others = files.filter((name) => !document.test(name) && name !== 'lib/http/consoleApi.ts');
    for (const file of others.filter((name) => /^(functions|lib)\//.test(name)))
      expect(
        importsOf(file).ours.filter((name) => document.test(name)),
        file,
      ).toEqual([]);
  });
});

describe('infra', () => {
  const stacks = files.filter((file) => /^infra\/(app|stacks\/|pages\/)/.test(file));

  test.each(stacks)('%s takes from lib only what both sides load', (file) => {
    expect(importsOf(file).ours.filter((name) => name.startsWith('lib/') && !shared.includes(name))).toEqual(
      [],
    );
  });

  test.each(files.filter((file) => file.startsWith('infra/local/')))(
    '%s knows nothing of what the functions do',
    (file) => {
      const allowed = ['lib/contract/answer.ts', 'lib/errors/apiError.ts'];
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
    (file) => !/^lib\/contract\/reference\/(guides|listGuide|syncGuide|webhookGuide)\.ts$/.test(file),
  );

  test('one word has one meaning: these have been replaced by the standard terms', () => {
    const replaced =
      /\b(doorbells?|bells?|rings?|rung|lanes?|heed(s|ed)?|settle[ds]?|woken|wakes?|placeAt|upkeep|knownOnly|inTurns|nextBatch)\b/i;
    // activity, successor, retry limit, without effect, page through, gap and duplicate, internal error, directly, third-party
    const gone =
      /\b(trails?|happenings?|heirs?|heirOf|tenures?|crowds?|truths?|patience|vain|anew|isAnew|walk(s|ed|ing)?|no doubles?|empty positions?|faults? (of|is) ours|past this system|no work of ours|turns every year|stack away)\b/i;
    for (const file of globSync('test/**/*.ts', {
      cwd: root,
      exclude: [...madeByRuns, 'test/architecture.*'],
    }))
      expect(replaced.exec(read(file))?.[0], file).toBeUndefined();
    for (const file of [...files, ...globSync(['*.md', 'docs/*.md'], { cwd: root })])
      for (const words of [replaced, gone]) expect(words.exec(read(file))?.[0], file).toBeUndefined();
  });

  test('zod comes in as a namespace: by name it is 350 KB more in every bundle', () => {
    for (const file of files) expect(read(file), file).not.toMatch(/import \{[^}]*\bz\b[^}]*\} from 'zod'/);
  });

  test('what calls make in the contract is marked as pure: a Lambda has only what it uses of a file', () => {
    const unmarked = /^(?:export )?const \w+(?:: [^=]+)? = (?!String\.raw)[\w.]+[(<`](?!.*=>$)/m;
    for (const file of files.filter((name) => /^lib\/(contract|resources)\//.test(name)))
      if (!document.test(file)) expect(unmarked.exec(read(file))?.[0], file).toBeUndefined();
  });

  test('no literal has classes of letters: V8 reads through those of every literal while it loads a bundle', () => {
    for (const file of files.filter((name) => /^(functions|lib)\//.test(name)))
      expect(read(file), file).not.toMatch(/(?<=[\s(,=:[!&|])\/(?![/*])[^`\n]*\\p\{[LMN]\}/);
  });

  test('only lib/env.ts and lib/aws/configuration.ts read the environment of a Lambda', () => {
    const readers = programs.filter((file) => file.startsWith('lib/') && read(file).includes('process.env'));
    expect(readers).toEqual(['lib/aws/configuration.ts', 'lib/env.ts']);
  });

  test('only lib/webhooks/sending/connection.ts opens connections, and only lib/webhooks/sending/address.ts asks the DNS', () => {
    const product = programs.filter((file) => /^(functions|lib)\//.test(file));
    const importersOf = (names: RegExp) =>
      product.filter((file) => importsOf(file).others.some((name) => names.test(name)));
    const network = /^(node:)?(_http_\w+|https?|http2|net|tls|dgram|quic)$|^(undici|axios|got|ws)\b/;
    expect(importersOf(network)).toEqual(['lib/webhooks/sending/connection.ts']);
    expect(importersOf(/^(node:)?dns\b/)).toEqual(['lib/webhooks/sending/address.ts']);
    const globals = /\b(fetch|WebSocket|EventSource|getBuiltinModule)\b/;
    expect(product.filter((file) => globals.test(read(file)))).toEqual([]);
  });

  test('nothing listens on any address but 127.0.0.1', () => {
    for (const file of programs)
      for (const [call] of read(file).matchAll(/\.listen\([^)]*\)/g))
        expect(call, file).toMatch(/['"]127\.0\.0\.1['"]/);
  });
});

/** The folders with a lock file: the root, and what few commands and tests need. */
const lockFolders = globSync('**/package-lock.json', { cwd: root, exclude: madeByRuns }).map(dirname).sort();

test('the root has a lock file, and so has what only few commands and tests need', () => {
  expect(lockFolders).toEqual([
    '.',
    'test/browser',
    'test/client',
    'test/openapiLint',
    'test/product',
    'test/recheck',
  ]);
});

describe.each(lockFolders)('the packages of %s', (folder) => {
  const { packages } = JSON.parse(read(join(folder, 'package-lock.json'))) as {
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
      read(join(folder, 'package.json')),
    );
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
