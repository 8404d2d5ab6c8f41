import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { block } from './support/documents/documents.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

let folder: string;

/** Runs commands of a shell in the copy. @returns what they print @throws Error with it when they fail */
function shell(commands: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', commands], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });
  if (status !== 0) throw new Error(`${commands}\n${stdout}${stderr}`);
  return stdout;
}

const commit = (message: string) => shell(`git add -A && git commit -qm '${message}'`);

const resource = (name: string, prefix: string) =>
  `npm run new -- resource ${name}s --one ${name} --prefix ${prefix}`;

const described = () =>
  Object.keys(
    (JSON.parse(readFileSync(join(folder, 'docs/contract/openapi.json'), 'utf8')) as { paths: object }).paths,
  );

beforeAll(() => {
  folder = temporaryFolder();
  // The files as they are here, and none of the history.
  const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.stdout
    .trim()
    .split('\n')
    .filter((one) => existsSync(join(root, one)))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  shell('git init -qb main && echo node_modules >> .git/info/exclude');
  commit('a release');
});

test('a fork with a resource and a stage of its own merges the next release, which has a resource more, too', () => {
  onTestFinished(() => removeFolder(folder));
  const made = block('sh merged');
  shell(`git checkout -qb fork && ${resource('ticket', 'tkt')}
mkdir stages && cp infra/stacks/stages/prod.json stages/ours.json`);
  commit('tickets and a stage of ours');

  shell(`git checkout -q main && ${resource('invoice', 'inv')}`);
  const settings = join(folder, 'infra/stacks/stages/prod.json');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replace('"logRetentionDays": 90', '"logRetentionDays": 60'),
  );
  appendFileSync(join(folder, 'lib/resources/orders.facts.ts'), '\n// The next release.\n');
  commit('the next release');

  shell('git checkout -q fork');
  shell(made.replace('git fetch upstream\n', '').replace('upstream/main', 'main'));
  expect(described()).toEqual(
    expect.arrayContaining(['/tickets', '/tickets/{ticketId}', '/invoices', '/invoices/{invoiceId}']),
  );
  const stage = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')).logRetentionDays;
  expect([stage('stages/ours.json'), stage('infra/stacks/stages/prod.json')]).toEqual([90, 60]);
});
