import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../infra/local/process/freePort.ts';
import { guidePages } from '../../../../infra/pages/reference/pages/guides.ts';
import type { Contact } from '../../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../../support/data/given.ts';
import { anOrder, givenOrders } from '../../../support/data/orders.ts';
import { blocksIn } from '../../../support/documents/prose.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// Follows the guides alone, from the first request to a verified delivery.

const guides = guidePages()
  .map(({ markdown }) => markdown)
  .join('\n');
const code = (language: string): string[] => blocksIn(guides, language);
const [exports, me, create, due, tagged, subscribe, subscription, sendTest, log] = code('sh') as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const programs = code('js');
const [walk, walkBehind, receiver] = ['allContacts', 'ordersWith', 'createServer'].map(
  (part) => programs.find((one) => one.includes(part)) as string,
) as [string, string, string];

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

test('address, key and subscription stand in the variables that everything else uses', () => {
  const names = [...`${exports}${subscription}`.matchAll(/^export (\w+)=/gm)].map(([, name]) => name);
  expect(names).toEqual(['URL', 'KEY', 'SUBSCRIPTION']);
});

test('the first requests tell who one is, and create a contact', async () => {
  expect(await run(me)).toMatchObject({ account });
  expect(await run(create)).toMatchObject({ email: 'ada@example.com' });
});

test('the error that it shows is one that is answered', async () => {
  const [shown] = code('json').map((text) => JSON.parse(text));
  const mistaken = await run('curl "$URL/contacts?limit=101" -H "X-Api-Key: $KEY"');
  expect(shown).toEqual(mistaken);
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

/** What a command lists, when filters have followed the changes. */
const listed = (command: string, field: string) =>
  expect.poll(async () => {
    const { data } = (await run(command)) as unknown as { data: Record<string, unknown>[] };
    return data.map((record) => record[field]);
  });

test('its filters list the orders and the contacts that match them', async () => {
  const statuses = ['paid', 'unpaid', 'voided', 'partially_paid'] as const;
  const orders = await givenOrders(
    account,
    statuses.map((payment_status) => anOrder({ payment_status })),
  );
  await listed(due, 'id').toEqual([orders[3]?.id, orders[1]?.id]);
  const contacts = await givenContacts(
    account,
    [['vip'], ['new', 'newsletter', 'vip'], ['newsletter']].map((tags) => aContact({ tags })),
  );
  await listed(tagged, 'id').toEqual([contacts[1]?.id]);
});

test('the walk with filters meets every record that matches them', async () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `W-${i}`);
  account = givenAccount();
  environment.KEY = (await givenKey(account)).text;
  await givenOrders(
    account,
    numbers.flatMap((number) => [
      anOrder({ number, payment_status: 'unpaid' }),
      anOrder({ payment_status: 'paid' }),
    ]),
  );
  const met = async () => (await text(start(walkBehind).stdout)).trim().split('\n');
  await expect.poll(met).toEqual(numbers);
});

test('the receiver verifies what it is sent, and refuses what is not ours', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const { id, secret } = await run(subscribe.replace('https://example.com/hooks', address));
  const { stdout } = start(receiver, { SECRET: secret as string, PORT: `${port}` });
  let output = '';
  stdout.on('data', (chunk) => {
    output += chunk;
  });
  const post = () => fetch(address, { method: 'POST', body: '{}' }).then(({ status }) => status);
  await expect.poll(() => post().catch(() => 0)).toBe(400);
  expect(await run(sendTest, { SUBSCRIPTION: id as string })).toMatchObject({
    outcome: 'success',
    verifies_signatures: true,
  });
  const example = sendTest.replace('{', '{"event_type": "order.paid", ');
  expect(await run(example, { SUBSCRIPTION: id as string })).toMatchObject({ outcome: 'success' });
  const marked = `^webhook\\.test ${id} 1 \\(test\\)\\norder\\.paid ord_\\w+ \\d+ \\(test\\)\\n$`;
  await expect.poll(() => output).toMatch(new RegExp(marked));
  const [contact] = await givenContacts(account, [aContact()]);
  await expect.poll(() => output).toContain(`contact.created ${contact?.id} 1\n`);
  const ofContact = log.replace('failed,pending', 'succeeded');
  await expect
    .poll(() => run(ofContact, { SUBSCRIPTION: id as string, CONTACT: contact?.id as string }))
    .toMatchObject({ data: [{ resource: { id: contact?.id } }], pagination: { total: 1 } });
});
