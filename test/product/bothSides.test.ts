import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../infra/local/process/freePort.ts';
import { readStackFile, type StackDescription } from '../../infra/local/process/stackFile.ts';
import { connect } from '../../infra/ops/connection.ts';
import { hostileShell } from '../infra/ops/start/hostileShell.ts';
import { Random } from '../simulation/random.ts';
import { openFaultServer } from '../soak/faults/faultServer.ts';
import { faultKinds } from '../soak/faults/schedule.ts';
import { SoakStack } from '../soak/soakStack.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { inPool } from '../support/data/pool.ts';
import { block } from '../support/documents/documents.ts';
import { isWhole } from '../support/run/extent.ts';
import { endGroup, removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';
import { BothSides } from './support/bothSides.ts';
import { ExampleProduct, productVariables } from './support/exampleProduct.ts';
import { UnreliableQueues } from './support/unreliableQueues.ts';

// The example product and the local stack: both sides edit the same contacts at once.

const [contacts, edits, kills] = isWhole ? [500, 10_000, 5] : [8, 100, 2];

const seed = Number(process.env.TEST_SEED);
const folder = temporaryFolder();
const database = join(folder, 'both.sqlite');
const faults = await openFaultServer();
const stack = new SoakStack(folder, faults.port);
const running = () => readStackFile(folder) as StackDescription;
const queues = new UnreliableQueues(new Random(seed), () => new URL(running().recordsInboxUrl).origin);
let address: string;
const product = new ExampleProduct(() => productVariables(running(), database, address));

beforeAll(async () => {
  await stack.start();
  address = await queues.open();
  product.start();
});
afterAll(async () => {
  await product.kill();
  queues.close();
  await stack.stop();
  faults.close();
  removeFolder(folder);
});

async function killProduct(): Promise<void> {
  await product.kill();
  await queues.giveBack();
  product.start();
}

async function killStack(): Promise<void> {
  await stack.killAndRestart();
  await killProduct();
}

test('edits from both sides at once, with messages repeated, late and in any order, kills and faults: both databases are equal, and no edit is gone but by the rule', async () => {
  await connect({ data: folder });
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const both = new BothSides({ random: new Random(seed + 1), url: () => stack.url, key, account, database });
  await expect.poll(() => both.isReady()).toBe(true);
  await both.begin(contacts);
  if (isWhole)
    stack.meetFaults(
      faultKinds.map((kind, i) => {
        const from = Date.now() + 12_000 * i;
        return { kind, from, to: from + 8000, share: 0.2 };
      }),
    );
  const killAt = new Map(
    Array.from({ length: kills }, (_, i) => [
      Math.floor((0.8 * edits * (i + 1)) / (kills + 1)),
      i % 2 === 0 ? killProduct : killStack,
    ]),
  );
  const edit = (from: number, to: number) =>
    inPool(6, [...Array(to).keys()].slice(from), async (nth) => {
      const kill = killAt.get(nth)?.();
      await both.edit();
      await kill;
    });
  const equal = () =>
    expect
      .poll(() => both.differences(), { interval: 500, timeout: isWhole ? 1_200_000 : 300_000 })
      .toEqual([]);
  // What a Lambda had taken when a call failed comes again after minutes.
  await edit(0, Math.floor(0.9 * edits));
  await equal();
  await edit(Math.floor(0.9 * edits), edits);
  const end = Date.now();
  await equal();
  console.log(`equal ${Date.now() - end} ms after the last edit`, both.counts, queues.counts, faults.counts);
  expect(await both.wrong()).toEqual([]);
  both.close();
});

test('docs/adopt.md connects a table both ways, and opens the console, with its commands alone, whatever the shell says about AWS and proxies', async () => {
  await product.kill();
  const { PATH, HOME } = process.env;
  const options = { cwd: root, env: { ...hostileShell(folder), PATH, HOME, PORT: `${await freePort()}` } };
  /** A command of the page for the stack of this test. */
  const command = (fence: string) =>
    block(fence)
      .replaceAll('.local/', `${folder}/`)
      .replace('keys -- create', `keys -- create --data ${folder}`)
      .replace('http://127.0.0.1:3000/v1', stack.url);
  const shell = async (...lines: string[]) =>
    (await promisify(execFile)('bash', ['-e', '-c', lines.join('\n')], options)).stdout;
  const begin = (fence: string) => {
    const { pid } = spawn('bash', ['-c', command(fence)], { ...options, detached: true, stdio: 'inherit' });
    onTestFinished(() => endGroup(pid as number));
  };

  const [me, key] = (await shell(command('sh account'), 'echo; echo $KEY')).trim().split(/\n+/) as [
    string,
    string,
  ];
  expect(JSON.parse(me)).toMatchObject({ account: 'acme', full_access: true });
  await shell(command('sh settings'));
  begin('sh product');
  const file = join(folder, 'product.sqlite');
  await expect.poll(() => existsSync(file)).toBe(true);
  const own = new DatabaseSync(file, { timeout: 60_000 });
  await expect
    .poll(() => own.prepare("SELECT name FROM sqlite_master WHERE name = 'api_take'").all())
    .not.toEqual([]);
  own.exec(block('sql write'));
  own.exec(block('sql first-load'));
  const variables = `URL=${stack.url}\nKEY=${key}`;
  const read = async () => JSON.parse(await shell(variables, command('sh read'))).data;
  await expect.poll(read).toMatchObject([{ email: 'ada@example.com', note: 'From the product' }]);
  await shell(variables, command('sh client'));
  const api_id = expect.stringMatching(/^con_/);
  await expect
    .poll(() => own.prepare(block('sql changed')).all())
    .toEqual([
      { email: 'ada@example.com', note: 'From a client', api_id },
      { email: 'bob@example.com', note: null, api_id },
    ]);
  own.close();

  begin('sh button');
  const click = () => fetch(`http://127.0.0.1:${options.env.PORT}/integrations`, { redirect: 'manual' });
  await expect
    .poll(() => click().then(({ headers }) => headers.get('Location'), String))
    .toContain(running().consoleUrl);
});
