#!/usr/bin/env node
// The command `postern` of a repository that depends on this project (docs/package.md). It copies the package into `.postern`, lets make.ts add
// the repository's declarations, and runs the programs there, because Node runs no TypeScript in node_modules. It is JavaScript that an old
// Node can read, so that it can say which Node it needs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ours = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const home = process.cwd();
const made = join(home, '.postern');

createRequire(import.meta.url)(join(ours, 'infra', 'requirements.cjs'));

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read(join(ours, 'package.json'));

/** Ends with a message for the person. */
function end(message) {
  console.error(message);
  process.exit(1);
}

/** Links from `.postern` to files and folders of the repository. */
const links = {
  node_modules: 'node_modules',
  build: 'build',
  ...(existsSync(join(home, 'package-lock.json')) ? { 'package-lock.json': 'package-lock.json' } : {}),
  'docs/contract': 'contract',
  'test/compatibility/examples.json': 'contract/examples.json',
};

/** The files of the repository that `.postern` is made from. */
const folders = ['resources', 'functions', 'stages', 'icon.svg'];

function* filesIn(path) {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isDirectory()) yield path;
  else for (const name of readdirSync(path).sort()) yield* filesIn(join(path, name));
}

function inputs() {
  const hash = createHash('sha256').update(manifest.version);
  for (const path of ['package.json', ...folders])
    for (const file of filesIn(join(home, path)))
      hash.update(`\0${relative(home, file)}\0`).update(readFileSync(file));
  // A tarball may be installed again under the same version.
  return hash.update(String(lstatSync(join(ours, 'package.json')).ctimeMs)).digest('hex');
}

/** Ends if this version cannot read what the deployed version stored. The newest tag `release-…` counts as deployed. */
function assertNextVersion() {
  const git = (...words) => spawnSync('git', words, { cwd: home, encoding: 'utf8' }).stdout?.trim();
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'release-*');
  const deployed = tag && git('show', `${tag}:./contract/version`);
  if (!deployed || deployed === manifest.version || manifest.after.includes(deployed)) return;
  const first = manifest.after.length > 0 ? manifest.after.join(' or ') : 'no other version';
  end(
    `postern ${manifest.version} can follow ${first}, and ${tag} has ${deployed}: deploy the versions in between first.`,
  );
}

/** Ends unless each dependency is installed in its exact version, because code in `.postern` would load any installed version. */
function assertPackages() {
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const file = join(home, 'node_modules', name, 'package.json');
    const found = existsSync(file) ? read(file).version : undefined;
    if (found !== version)
      end(
        `${name} ${version} is needed in node_modules, and ${found ? `${found} is there` : 'it is not there'}. ` +
          `Run "npm install"; if your package.json names ${name}, name this version.`,
      );
  }
}

function hasRenamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates `.postern`, unless it already exists for exactly these files. It is created in another folder that then replaces the old one, so a
 * running stack keeps its files, and a mistake leaves the old folder as it was.
 */
async function make() {
  const { postern } = read(join(home, 'package.json'));
  if (!postern)
    end(
      'package.json here has no "postern" with your resources: run "npx postern init" to write what is missing.',
    );
  const now = inputs();
  const note = join(made, 'made-from');
  if (existsSync(note) && readFileSync(note, 'utf8') === now) return;
  assertPackages();
  console.error('Making .postern from your declarations …');
  // Two commands may create it at the same time.
  const next = join(home, `.postern.${process.pid}`);
  cpSync(ours, next, { recursive: true, filter: (file) => file !== join(ours, 'node_modules') });
  for (const folder of ['build', 'contract']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'contract', 'version'), `${manifest.version}\n`);
  for (const [path, target] of Object.entries(links)) {
    const place = join(next, path);
    rmSync(place, { recursive: true, force: true });
    symlinkSync(relative(dirname(place), join(home, target)), place);
  }
  for (const folder of ['resources', 'functions'])
    if (existsSync(join(home, folder))) cpSync(join(home, folder), join(next, folder), { recursive: true });
  const icon = join(home, 'icon.svg');
  if (existsSync(icon)) cpSync(icon, join(next, 'infra', 'pages', 'reference', 'icon.svg'));
  const stages = join(next, 'infra', 'stacks', 'stages');
  for (const name of readdirSync(stages)) if (name.endsWith('.json')) rmSync(join(stages, name));
  cpSync(join(home, 'stages'), stages, { recursive: true });
  for (const program of [
    'infra/ops/package/make.ts',
    'infra/ops/documents/openapiFiles.ts',
    'infra/ops/documents/messageSchemas.ts',
  ])
    if ((await run(next, program)) !== 0) {
      rmSync(next, { recursive: true, force: true });
      process.exit(1);
    }
  writeFileSync(join(next, 'made-from'), now);
  const before = `${next}.before`;
  // Another command may have put its own folder there in between. The last one stays.
  while (!hasRenamed(next, made)) {
    hasRenamed(made, before);
    rmSync(before, { recursive: true, force: true });
  }
}

/** Runs Node, passes on signals and the end of the parent, and returns its exit code. */
function node(words, more = {}) {
  const child = spawn(process.execPath, words, { stdio: 'inherit', ...more });
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGHUP'), 1000).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => end(String(error)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Runs a program of a folder, which ends when this process does. */
const run = (folder, program, words = []) =>
  node(['--require', join(folder, 'infra', 'requirements.cjs'), join(folder, program), ...words], {
    env: { ...process.env, STARTED_BY: String(process.pid) },
  });

const modules = (...path) => join(home, 'node_modules', ...path);

/** The suites that test every operation. The other suites do not depend on the declared resources. */
const suites = ['test/everyOperation', 'test/permissions.test.ts'];

const vitest = (words) => node([modules('vitest', 'vitest.mjs'), 'run', ...words], { cwd: made });

const commands = {
  start: (words) => run(made, 'infra/ops/start/start.ts', words),
  ops: (words) => run(made, 'infra/ops/ops.ts', words),
  synth: (words) => {
    assertNextVersion();
    const own = join(home, 'infra', 'app.ts');
    return node([existsSync(own) ? own : join(made, 'infra', 'app.ts'), ...words]);
  },
  test: async (words) => {
    const types = await node([modules('typescript', 'bin', 'tsc'), '--project', home]);
    return types || vitest(words.length > 0 ? words : suites);
  },
  check: () => {
    if (!existsSync(join(home, 'contract', 'examples.json')))
      end('There is no contract/examples.json: run "npm run openapi" first.');
    return vitest(['test/compatibility', 'openapiBreaking', 'stacks/lastRelease']);
  },
  openapi: () => run(made, 'test/compatibility/examples.ts'),
};

const [name, ...words] = process.argv.slice(2);
if (name === 'init' || name === 'new') {
  const { init, declare } = await import('./init.mjs');
  if (name === 'init') init(words[0] ?? '.');
  else declare(words);
} else {
  const command = commands[name];
  if (!command) end(`postern ${Object.keys(commands).join(' | ')} | init | new`);
  await make();
  process.exitCode = await command(words);
}
