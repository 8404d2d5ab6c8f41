import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { givenAccount, givenKey } from './support/data/given.ts';
import { blocksIn } from './support/documents/prose.ts';
import { apiUrl } from './support/http/api.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

const workspace = join(root, 'test', 'client');
const build = join(workspace, 'build');
const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
  scripts: Record<'generate' | 'types', string>;
};

/** Runs a command line in the workspace, with its own tools before those of the project, as npm does. */
async function run(
  commandLine: string,
  env: Record<string, string> = {},
  { signal, cwd = workspace }: { signal?: AbortSignal; cwd?: string } = {},
) {
  const [command, ...args] = commandLine.split(' ') as [string, ...string[]];
  const tools = [workspace, root].map((folder) => join(folder, 'node_modules', '.bin'));
  const PATH = [...tools, process.env.PATH].join(delimiter);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

let compiled: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  expect(await run(scripts.generate)).toMatchObject({ code: 0 });
  writeFileSync(
    join(build, 'documented.ts'),
    readFileSync(join(root, 'docs', 'clients', 'typed-client.ts'), 'utf8'),
  );
  compiled = await run(scripts.types);
});

test('right requests and the client of the documents compile, and no mistake in requests or answers does', () => {
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the recipe for a typed client makes the same types of the document that is published', async ({
  signal,
}) => {
  const [recipe = ''] = blocksIn(readFileSync(join(root, 'docs', 'api.md'), 'utf8'), 'sh').filter((block) =>
    block.includes('openapi-typescript openapi.json'),
  );
  const commands = recipe.split('\n').filter((line) => /^(curl|npx) /.test(line));
  expect(commands).toHaveLength(2);
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  writeFileSync(join(folder, 'recipe.sh'), commands.join('\n').replace('npx ', ''));
  // As the output of a stage, with a slash at its end.
  const env = { DOCS: new URL('/docs/', apiUrl).href };
  expect(await run(`bash -e ${join(folder, 'recipe.sh')}`, env, { signal, cwd: folder })).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(folder, 'api.ts'), 'utf8')).toBe(readFileSync(join(build, 'api.ts'), 'utf8'));
});

test('the client of the documents creates a contact', async ({ signal }) => {
  const { text: KEY } = await givenKey(givenAccount());
  const { stdout } = await run('node build/documented.ts', { URL: apiUrl, KEY }, { signal });
  expect(stdout).toMatch(/^con_\w{24} 1\n$/);
});
