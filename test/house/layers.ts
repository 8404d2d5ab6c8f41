import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sources as files, importsOf, sourceOf as read } from '../support/documents/sources.ts';

/** What has a folder of its own, in the order of the repository layout: each imports only itself and those before it. */
const layers = [
  '',
  'errors',
  'logs',
  'schemas',
  'aws',
  'dynamodb',
  'resources',
  'contract',
  'activity',
  'keys',
  'records',
  'filterIndex',
  'feed',
  'outbox',
  'inbox',
  'webhooks',
  'usage',
  'console',
  'http',
  'postern.ts',
];

/** The parts of these, in order: each imports only itself and those before it. A file that is not named here is above all. */
const layerOrders: Record<string, readonly string[]> = {
  'lib/webhooks': [
    'model',
    'queue',
    'sending',
    'receivers',
    'deliveries',
    'redaction',
    'events',
    'recovery',
    'log',
    'redelivery',
    'subscriptions',
  ],
  infra: ['terminal', 'pages', 'stacks', 'local', 'ops'],
  'infra/stacks': [
    'acknowledgeFindings.ts',
    'ownPermissions.ts',
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
/** The entry for adopters is above all. */
const layerOf = (file: string): string => {
  const [, layer = '', ...rest] = file.split('/');
  return rest.length > 0 || layers.includes(layer) ? layer : '';
};

describe('folders', () => {
  test.each(Object.entries(layerOrders))('no part of %s imports from one above it', (folder, order) => {
    const rankOf = (file: string): number => {
      const part = order.indexOf(relative(folder, file).split('/')[0] as string);
      return part < 0 ? order.length : part;
    };
    const inside = files.filter((file) => file.startsWith(`${folder}/`));
    const up = inside.flatMap((file) =>
      importsOf(file)
        .ours.filter((name) => name.startsWith(`${folder}/`) && rankOf(name) > rankOf(file))
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
    '%s imports only from its own layer and those above',
    (file) => {
      const { ours } = importsOf(file);
      expect(ours.filter((name) => !name.startsWith('lib/'))).toEqual([]);
      for (const name of ours)
        expect(layers.indexOf(layerOf(name)), name).toBeLessThanOrEqual(layers.indexOf(layerOf(file)));
    },
  );

  test('every folder is a layer of the repository layout', () => {
    for (const file of files) if (file.startsWith('lib/')) expect(layers).toContain(layerOf(file));
  });
});

/**
 * What CDK loads at synth and Lambdas load, too: the contract, the names of the environment, the errors, and the shapes of tables.
 */
const shared = files.filter((file) =>
  /^lib\/((?:contract|errors|resources|schemas)\/.+|env|\w+\/(?:model\/)?\w+Table)\.ts$/.test(file),
);

/** What only the document of the contract is made of. */
const document =
  /^lib\/(contract\/(index|responses|console\/index|webhookEvents)|resources\/(documents|\w+\.reference))\.ts$/;

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
        // Of the schemas of responses, Lambdas import types alone: bundles.rest.test.ts looks for them.
        importsOf(file).ours.filter((name) => document.test(name) && !name.endsWith('/responses.ts')),
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
      const allowed = ['lib/contract/answerHeaders.ts', 'lib/errors/apiError.ts'];
      expect(
        importsOf(file).ours.filter((name) => name.startsWith('lib/') && !allowed.includes(name)),
      ).toEqual([]);
      expect(importsOf(file).ours.filter((name) => name.startsWith('functions/'))).toEqual([]);
    },
  );
});

describe('habits', () => {
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
    const readers = files.filter((file) => file.startsWith('lib/') && read(file).includes('process.env'));
    expect(readers).toEqual(['lib/aws/configuration.ts', 'lib/env.ts']);
  });
});
