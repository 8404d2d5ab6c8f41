import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Contact } from '../../lib/contract/contacts.ts';
import { guides } from '../../lib/contract/reference/guides.ts';
import { apiUrl } from '../support/api.ts';
import { freePort } from '../support/freePort.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../support/given.ts';
import { removeFolder, root, temporaryFolder } from '../support/stackProcess.ts';

// Whoever has nothing but the guides does what they say, from the first request to a delivery that is verified.

const code = (language: string): string[] =>
  [...guides.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block]) => block as string,
  );
const [exports, me, create, subscribe, sendTest] = code('sh') as [string, string, string, string, string];
const [walk, receiver] = code('js') as [string, string];

let account: string;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  account = givenAccount();
  environment = { ...process.env, URL: apiUrl, KEY: (await givenKey(account)).text };
});

/** Runs a command of a guide. @returns the answer that it prints */
async function run(command: string, more: NodeJS.ProcessEnv = {}): Promise<Record<string, unknown>> {
  const shell = spawn('bash', ['-ec', command], { env: { ...environment, ...more } });
  return JSON.parse(await text(shell.stdout));
}

/** Starts a program of a guide. */
function start(program: string, more: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'program.mjs'), program);
  const child = spawn(process.execPath, ['program.mjs'], { cwd: folder, env: { ...environment, ...more } });
  onTestFinished(() => {
    child.kill();
    removeFolder(folder);
  });
  return child;
}

test('address and key stand in the variables that everything else uses', () => {
  const [, ...names] = exports.split(/^export (\w+)=.*\n/m);
  expect(names.filter(Boolean)).toEqual(['URL', 'KEY']);
});

test('the first requests tell who one is, and create one contact, however often they are sent', async () => {
  expect(await run(me)).toMatchObject({ account });
  const contact = await run(create);
  expect(contact).toMatchObject({ email: 'ada@example.com', first_name: 'Ada' });
  expect(await run(create)).toEqual(contact);
});

test('the walk meets every contact, in its order', async () => {
  const added = await givenContacts(
    account,
    Array.from({ length: 230 }, () => aContact()),
  );
  const lines = (await text(start(walk).stdout)).trim().split('\n');
  const idOf = ({ id, email }: Contact) => `${id} ${email}`;
  expect(lines.slice(-added.length)).toEqual(added.map(idOf));
});

test('the receiver verifies what it is sent, and refuses what is not ours', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const { id, secret } = await run(subscribe.replace('https://example.com/hooks', address));
  const { stdout } = start(receiver.replace('listen(4000)', `listen(${port}, '127.0.0.1')`), {
    SECRET: secret as string,
  });
  let said = '';
  stdout.on('data', (chunk) => {
    said += chunk;
  });
  const post = () => fetch(address, { method: 'POST', body: '{}' }).then(({ status }) => status);
  await expect.poll(() => post().catch(() => 0)).toBe(400);
  expect(await run(sendTest, { SUBSCRIPTION: id as string })).toMatchObject({ outcome: 'success' });
  const [contact] = await givenContacts(account, [aContact()]);
  await expect.poll(() => said, { timeout: 10_000 }).toContain(`contact.created ${contact?.id} 1\n`);
});
