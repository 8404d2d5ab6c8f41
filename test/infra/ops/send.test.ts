import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyBytesMax } from '../../../lib/values/json.ts';
import { aContact, anOrder, givenAccount } from '../../support/data/given.ts';
import { allContacts, everythingOf } from '../../support/data/stored.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

let folder: string;
let account: string;
beforeEach(() => {
  folder = temporaryFolder();
  account = givenAccount();
});
afterEach(() => removeFolder(folder));

function send(resource: string, lines: unknown[], ...more: string[]) {
  const file = join(folder, 'records.ndjson');
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return run('send', [resource, file, '--account', account, '--new-account', ...more], { cwd: folder });
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await sleep(50);
}

test('the records of the file are stored through the inbox', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => aContact({ note: `note ${i}` }));
  const { code, stdout } = await send('contacts', rows);
  expect(stdout).toMatch(/^25 lines in [\d.]+ s: 25 sent, 0 refused\n$/);
  expect(code).toBe(0);
  await until(async () => (await allContacts(account)).length === 25);
  expect((await send('orders', [anOrder()])).code).toBe(0);
  await until(async () => JSON.stringify(await everythingOf(account)).includes('"total":1'));
});

test('every character arrives, also those that SQS refuses', async () => {
  const notes = ['Ada 😀', 'a\uFFFEb\uFFFF', 'grüße', 'a\u00a0b'];
  const { code } = await send(
    'contacts',
    notes.map((note) => aContact({ note })),
  );
  expect(code).toBe(0);
  await until(async () => (await allContacts(account)).length === notes.length);
  expect(new Set((await allContacts(account)).map(({ note }) => note))).toEqual(
    new Set([...notes.slice(0, 3), 'a b']),
  );
});

test('a record too large to be stored is not sent', async () => {
  const custom_fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, '漢'.repeat(500)]));
  const { code, stdout, stderr } = await send(
    'contacts',
    [aContact({ custom_fields }), aContact()],
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({ sent: 1, refused: 1 });
  expect(stderr).toMatch(
    /^line 1: The contact would take more than the 60000 bytes in an answer that are allowed/,
  );
  expect(code).toBe(1);
});

test('a line that would be too long as a message is not sent', async () => {
  // One character of 4 bytes in UTF-8, and of 12 in ASCII.
  const long = '😀'.repeat(500);
  const custom_fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, long]));
  const record = aContact({ custom_fields });
  expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(bodyBytesMax);
  const { code, stdout, stderr } = await send('contacts', [record, aContact()], '--json');
  expect(JSON.parse(stdout)).toMatchObject({ sent: 1, refused: 1 });
  expect(stderr).toMatch(
    /^line 1: the message that the line becomes, in ASCII, must be at most 262144 bytes/,
  );
  expect(code).toBe(1);
});

test('a line that the inbox would refuse is not sent, and the others are', async () => {
  const { code, stdout, stderr } = await send('contacts', [aContact(), { email: 'x' }, 'nonsense'], '--json');
  expect(JSON.parse(stdout)).toMatchObject({ lines: 3, sent: 1, refused: 2, complete: true });
  expect(stderr).toMatch(/line 2: email must be .*external_id is required/);
  expect(stderr).toContain('line 3: the line is not valid JSON');
  expect(code).toBe(1);
  await until(async () => (await allContacts(account)).length === 1);
});
