import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../infra/local/process/freePort.ts';
import { hostileShell } from '../infra/ops/start/hostileShell.ts';
import { Random } from '../simulation/random.ts';
import { soak } from '../soak/soak.ts';
import { Stage } from '../soak/stage.ts';
import { block } from '../support/documents/documents.ts';
import { isWhole } from '../support/run/extent.ts';
import { endGroup, removeFolder, root, temporaryFolder } from '../support/stack/stackProcess.ts';

// The example product and the local stack: both sides edit the same contacts at once.

const load = isWhole
  ? { contacts: 500, edits: 10_000, kills: 5, faultyMs: 60_000 }
  : { contacts: 8, edits: 100, kills: 2, faultyMs: 0 };

const seed = Number(process.env.TEST_SEED);
const folder = temporaryFolder();
let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open(folder, new Random(seed));
});
afterAll(async () => {
  await stage.close();
  removeFolder(folder);
});

test('edits from both sides at once, with messages repeated, late and in any order, kills and faults: both databases are equal, no edit is gone but by the rule, and each version is in the feed and at the receiver', async () => {
  expect((await soak(stage, { ...load, seed })).wrong).toEqual([]);
});

test('docs/adopt.md connects a table both ways, and opens the console, with its commands alone', async () => {
  await stage.product.kill();
  const { PATH, HOME } = process.env;
  const options = { cwd: root, env: { ...hostileShell(folder), PATH, HOME, PORT: `${await freePort()}` } };
  /** A command of the page for the stack of this test. */
  const command = (fence: string) =>
    block(fence)
      .replaceAll('.local/', `${folder}/`)
      .replace('keys -- create', `keys -- create --data ${folder}`)
      .replace('http://127.0.0.1:3000/v1', stage.url);
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
  const variables = `URL=${stage.url}\nKEY=${key}`;
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
  own.exec(block('sql delete'));
  const list = async () =>
    JSON.parse(await shell(variables, 'curl -s "$URL/contacts" -H "X-Api-Key: $KEY"')).data;
  await expect.poll(list).toMatchObject([{ email: 'ada@example.com' }]);
  own.close();

  begin('sh button');
  const click = () => fetch(`http://127.0.0.1:${options.env.PORT}/integrations`, { redirect: 'manual' });
  await expect
    .poll(() => click().then(({ headers }) => headers.get('Location'), String))
    .toContain(stage.description.consoleUrl);
});
