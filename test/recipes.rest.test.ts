import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents } from './support/documents/documents.ts';
import { blocksIn } from './support/documents/prose.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

// Runs the commands for resources and fields that CONTRIBUTING.md shows in a copy of the project, and the tests there that know all
// operations and all resources.

/** Copies what is in the tree, also what is not committed, and links the packages that are installed. */
function copyTree(folder: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of new Set(stdout.split('\0').filter((one) => one !== '' && existsSync(join(root, one))))) {
    cpSync(join(root, file), join(folder, file));
    const packages = join(dirname(file), 'node_modules');
    if (basename(file) === 'package-lock.json' && existsSync(join(root, packages)))
      symlinkSync(join(root, packages), join(folder, packages));
  }
}

/** Runs a command as a person does. What this run has told its workers does not concern it. */
async function inShell(command: string, cwd: string, signal: AbortSignal) {
  const { HOME, LANG, TMPDIR } = process.env;
  const tools = [dirname(process.execPath), process.env.PATH].join(':');
  const child = spawn('bash', ['-ec', `exec 2>&1\n${command}`], {
    cwd,
    env: {
      ...Object.fromEntries(Object.entries({ HOME, LANG, TMPDIR }).filter(([, one]) => one)),
      PATH: tools,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stdout)]);
  const failed = output.indexOf('Failed Tests');
  return {
    code: code as number | null,
    end: failed < 0 ? output.slice(-4000) : output.slice(failed, failed + 4000),
  };
}

/** The suites that know all operations and all resources. */
const suites = {
  'the unit tests': 'test:unit',
  'the tests for every operation, and those of filters, events, changes, the inbox, documents and what a release leaves':
    'test:run -- test/everyOperation test/functions/contacts test/functions/pipeline/events test/functions/changes/listChanges test/lib/inbox test/compatibility test/infra/ops/import.test.ts test/documents.test.ts test/infra/stacks/monitoring.test.ts',
  'the bundles': 'test:run -- --mode all test/infra/stacks/bundles.rest.test.ts',
};

describe('with a field with a filter, a resource more and one less', () => {
  const folder = temporaryFolder();
  beforeAll(() => copyTree(folder));
  afterAll(() => removeFolder(folder));

  test.for(blocksIn(documents.get('CONTRIBUTING.md') as string, 'sh new'))(
    'after %s the documents are made, and types fit',
    async (command, { signal }) => {
      const { code, end } = await inShell(command, folder, signal);
      expect(code, end).toBe(0);
    },
  );

  test('the contract has what was added, and not what was removed', () => {
    const { paths, components } = JSON.parse(
      readFileSync(join(folder, 'docs/contract/openapi.json'), 'utf8'),
    );
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/tickets', '/tickets/{ticketId}']));
    expect(paths).not.toHaveProperty(['/event-registrations']);
    expect(components.schemas.Contact.properties).toHaveProperty('nickname');
    const { parameters } = paths['/contacts'].get;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'nickname', in: 'query' }));
  });

  test.for(Object.entries(suites))('%s pass', async ([, script], { signal }) => {
    const { code, end } = await inShell(`npm run ${script}`, folder, signal);
    expect(code, end).toBe(0);
  });
});
