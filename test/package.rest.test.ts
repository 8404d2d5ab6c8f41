import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { documents } from './support/documents/documents.ts';
import { blocksIn } from './support/documents/prose.ts';
import { removeFolder, root, temporaryFolder } from './support/stack/stackProcess.ts';

// The package as its users have it: packed, installed in an empty folder, with the declarations that docs/package.md shows.

const folder = temporaryFolder();
const packages = join(folder, 'node_modules');
afterAll(() => removeFolder(folder));

const environment = {
  ...Object.fromEntries(['HOME', 'LANG', 'TMPDIR'].map((name) => [name, process.env[name]])),
  PATH: `${packages}/.bin:${dirname(process.execPath)}:${process.env.PATH}`,
};

/** Runs a command in the repository. @returns its exit code, and what it prints */
function shell(command: string, cwd = folder) {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', command], {
    cwd,
    env: environment,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

function succeed(command: string, cwd = folder): string {
  const { status, output } = shell(command, cwd);
  expect(status, output.slice(-4000)).toBe(0);
  return output;
}

/** Installs a tarball as npm does, without a network: what it depends on is here, in the same versions. */
function install(tarball: string): void {
  const target = join(packages, 'postern');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  succeed(`tar xzf ${JSON.stringify(tarball)} -C ${JSON.stringify(target)} --strip-components=1`);
  const { dependencies, bin } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const all = [
    ...Object.keys(dependencies),
    ...readdirSync(join(root, 'node_modules')).filter((one) => !/^[.@]/.test(one)),
  ];
  for (const name of new Set([...all, '@dynoxide', '@types', '@smithy', '@aws-sdk', '@esbuild'])) {
    const link = join(packages, name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link) && existsSync(join(root, 'node_modules', name)))
      symlinkSync(join(root, 'node_modules', name), link);
  }
  mkdirSync(join(packages, '.bin'), { recursive: true });
  const command = join(packages, '.bin', 'postern');
  rmSync(command, { force: true });
  symlinkSync(join(target, bin.postern), command);
  const node = join(packages, '.bin', 'node');
  if (!existsSync(node)) symlinkSync(process.execPath, node);
}

const guide = documents.get('docs/package.md') as string;

/** The files that the document shows, each with its name in the first line. */
const files = blocksIn(guide, 'ts').map((text) => {
  const [, name = ''] = /^\/\/ (\S+)/.exec(text) ?? [];
  return { name, text: text.replace(/^.*\n/, '') };
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

interface Ready {
  url: string;
  keys: Record<string, string>;
}

let stack: ChildProcess | undefined;

async function start(): Promise<Ready> {
  onTestFinished(stop);
  stack = spawn('postern', ['start', '--port', '0', '--json'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: stack.stdout as NodeJS.ReadableStream }))
    return JSON.parse(line);
  throw new Error('The stack did not start');
}

async function stop(): Promise<void> {
  if (!stack) return;
  const ended = new Promise((resolve) => stack?.once('exit', resolve));
  stack.kill('SIGTERM');
  await ended;
  stack = undefined;
}

const ask = async ({ url, keys }: Ready, method: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Api-Key': keys.full as string, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
};

let tarball: string;
beforeAll(() => {
  tarball = join(root, succeed('npm run --silent pack', root).trim());
  install(tarball);
  succeed('postern init .');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // Registrations name orders, which are left out.
  manifest.postern.resources = ['contacts', 'event-registrations'];
  write('package.json', JSON.stringify(manifest));
  succeed('postern new tickets --one ticket --prefix tkt');
});

test('the new repository is small, and what it was given compiles and is served', async () => {
  const own = spawnSync('git', ['init', '-q'], { cwd: folder });
  expect(own.status).toBe(0);
  const listed = succeed('git ls-files -o --exclude-standard').trim().split('\n').sort();
  expect(listed).toEqual([
    '.gitignore',
    'cdk.json',
    'package.json',
    'resources/tickets.ts',
    'stages/dev.json',
    'stages/prod.json',
    'tsconfig.json',
  ]);
  const ready = await start();
  expect((await ask(ready, 'POST', '/tickets', { name: 'A printer' })).status).toBe(201);
  succeed('node node_modules/typescript/bin/tsc --project .');
});

test.each([
  [`prefix: 'tkt'`, `prefix: 'tickets'`, 'prefix must be 2 to 5 letters of a-z', false],
  [`writable: ['external_id'`, `writable: ['external'`, 'writable has external, which is no field', true],
])('a mistake in a declaration is named in its file: %s as %s', (right, wrong, sentence, isTypeError) => {
  const file = join(folder, 'resources', 'tickets.ts');
  const text = readFileSync(file, 'utf8');
  onTestFinished(() => writeFileSync(file, text));
  writeFileSync(file, text.replace(right, wrong));
  const { status, output } = shell('postern openapi');
  expect(status).toBe(1);
  expect(output).toContain('resources/tickets.ts cannot be used:');
  expect(output).toContain(sentence);
  const { output: types } = shell('node node_modules/typescript/bin/tsc --project .');
  expect(types.includes('resources/tickets.ts(')).toBe(isTypeError);
});

test('what the document declares is served: a resource, a field, an operation, an event, and no resource that is left out', async () => {
  for (const { name, text } of files) write(name, text);
  // Three files of a repository's own are those of orders here, under another name.
  for (const part of ['.facts', '', '.reference']) {
    const text = readFileSync(join(root, `lib/resources/orders${part}.ts`), 'utf8');
    const renamed = text
      .replaceAll('order', 'invoice')
      .replaceAll('Order', 'Invoice')
      .replaceAll('ord_', 'inv_');
    const imported = renamed
      .replace(/'\.\/(?!invoices)(\w+)\.ts'/g, "'#postern/$1'")
      .replace("'ord'", "'inv'");
    write(
      `resources/invoices${part}.ts`,
      imported.replace("['Customer'", "['Buyer'").replace("['LineItem'", "['Line'"),
    );
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  manifest.postern.resources.push('invoices');
  write('package.json', JSON.stringify(manifest));
  const ready = await start();
  const created = await ask(ready, 'POST', '/tickets', { subject: 'A printer' });
  expect(created).toMatchObject({ status: 201, body: { status: 'open' } });
  expect((await ask(ready, 'POST', '/tickets', { subject: 'a', status: 'closed' })).body.message).toContain(
    'status is not known here',
  );
  expect(await ask(ready, 'POST', `/tickets/${created.body.id}/close`)).toMatchObject({
    status: 200,
    body: { status: 'closed', version: 2 },
  });
  expect((await ask(ready, 'GET', '/orders')).status).toBe(404);
  expect(readFileSync(join(folder, 'contract', 'openapi.json'), 'utf8')).not.toContain('order.paid');
  expect(await ask(ready, 'GET', '/invoices?status=pending')).toMatchObject({
    status: 200,
    body: { data: [] },
  });
  expect((await ask(ready, 'GET', '/tickets?status=closed')).body.data).toHaveLength(1);
  await expect
    .poll(async () => (await ask(ready, 'GET', '/changes?types=ticket.closed')).body.data)
    .toHaveLength(1);
  const { recordsInboxUrl, region } = JSON.parse(readFileSync(join(folder, '.local', 'stack.json'), 'utf8'));
  const queues = new SQSClient({
    endpoint: new URL(recordsInboxUrl).origin,
    region,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  // The stage had data before it had the filter.
  succeed('postern ops index build');
  const record = { source_id: '1', email: 'ada@example.com', plan: 'team' };
  const MessageBody = JSON.stringify({ account: 'demo', resource: 'contacts', record });
  await queues.send(new SendMessageCommand({ QueueUrl: recordsInboxUrl, MessageBody }));
  const planned = async () =>
    (await ask(ready, 'GET', '/contacts?plan=team&email=ada@example.com')).body.data;
  await expect.poll(planned).toMatchObject([{ plan: 'team' }]);
});

test('their stacks are synthesized beside ours, with least rights, and their suites pass', () => {
  succeed('node node_modules/aws-cdk/bin/cdk synth --quiet --no-notices -c stage=prod');
  const templates = readdirSync(join(folder, 'build', 'cdk.out')).filter((name) =>
    name.endsWith('.template.json'),
  );
  expect(templates).toEqual(
    expect.arrayContaining(['acme-public-api-prod.template.json', 'public-api-prod.template.json']),
  );
  const { Resources } = JSON.parse(
    readFileSync(join(folder, 'build/cdk.out/public-api-prod.template.json'), 'utf8'),
  );
  expect(Object.keys(Resources).filter((id) => /closeTicket.*Function/.test(id))).not.toEqual([]);
  expect(
    succeed('postern test test/everyOperation/keys.test.ts test/everyOperation/conditional.test.ts'),
  ).toContain('passed');
});

test('a change that breaks clients is found by a comparison with the last release', () => {
  succeed('postern openapi');
  succeed(
    'git add contract && git -c user.name=a -c user.email=a@example.com commit -qm released && git tag release-1',
  );
  succeed('postern check');
  const file = join(folder, 'resources', 'tickets.ts');
  const text = readFileSync(file, 'utf8');
  onTestFinished(() => writeFileSync(file, text));
  writeFileSync(file, text.replace(/price_amount: .*\n/, '').replace("'price_amount', ", ''));
  const { status, output } = shell('postern check');
  expect(status).toBe(1);
  expect(output).toContain('getTicket 200 body.price_amount is gone');
});

test('a release that stored data needs is not skipped', () => {
  const manifest = join(packages, 'postern', 'package.json');
  const installed = JSON.parse(readFileSync(manifest, 'utf8'));
  onTestFinished(() => writeFileSync(manifest, JSON.stringify(installed)));
  const upgradeTo = (version: string, after: string[]) =>
    writeFileSync(manifest, JSON.stringify({ ...installed, version, after }));
  upgradeTo('1.2.0', ['1.1.0']);
  const { status, output } = shell('postern synth');
  expect(status).toBe(1);
  expect(output).toContain(`postern 1.2.0 can follow 1.1.0, and release-1 has ${installed.version}: deploy`);
  upgradeTo('1.1.0', [installed.version]);
  expect(shell('postern synth -h').output).not.toContain('can follow');
});

test('an upgrade is another version: what was stored is there, and a package of another version is refused', async () => {
  const manifest = join(packages, 'postern', 'package.json');
  const { version, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...rest, version: `${version}-next` }));
  const ready = await start();
  expect((await ask(ready, 'GET', '/tickets?status=closed')).body.data).toHaveLength(1);
  writeFileSync(
    manifest,
    JSON.stringify({ ...rest, version, dependencies: { ...rest.dependencies, zod: '3.0.0' } }),
  );
  const { status, output } = shell('postern start');
  expect(status).toBe(1);
  expect(output).toMatch(/zod 3\.0\.0 is needed in node_modules, and \d\S+ is there\./);
});
