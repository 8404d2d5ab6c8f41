import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import {
  readStackFile,
  type StackDescription,
  writeStackFile,
} from '../../../infra/local/process/stackFile.ts';
import { openDemo } from '../../../infra/ops/demo/demo.ts';
import { getMe } from '../../../lib/contract/me.ts';
import { revoked } from '../../../lib/keys/key.ts';
import { readKey, saveKey } from '../../../lib/keys/store.ts';
import { listContacts, updateContact } from '../../../lib/resources/contacts.ts';
import { aTester } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

// The system under test has its demo account already; a data directory of its own does not know so.
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeStackFile(folder, readStackFile(inject('dataFolder') as string) as StackDescription);
});
afterEach(() => removeFolder(folder));

const file = () => join(folder, 'demo.json');

async function revoke(text: string): Promise<void> {
  const { body } = await call(getMe, { key: text });
  const key = await readKey(body.key_id);
  if (key) await saveKey(revoked(key, new Date()), key, aTester);
}

test('existing records are not changed, and none is created twice', async () => {
  const { keys } = await openDemo(folder);
  const list = async () => (await call(listContacts, { key: keys.full })).body;
  const before = await list();
  const note = `edited ${folder}`;
  await call(updateContact, {
    key: keys.full,
    params: { contactId: before.data[0]?.id as string },
    body: { note },
  });
  removeFolder(file());
  await openDemo(folder);
  const after = await list();
  expect(after.pagination.total).toBe(before.pagination.total);
  expect(after.data[0]).toMatchObject({ note });
});

test('valid keys are kept, and so is the file', async () => {
  const first = await openDemo(folder);
  const { ino } = statSync(file());
  expect(await openDemo(folder)).toEqual(first);
  expect(statSync(file()).ino).toBe(ino);
});

test('only an invalid key is issued again', async () => {
  const { keys: first } = await openDemo(folder);
  await revoke(first['orders:read']);
  const { keys: second } = await openDemo(folder);
  const { 'orders:read': dead, ...living } = first;
  expect(second).toMatchObject(living);
  expect(second['orders:read']).not.toBe(dead);
  expect(Object.keys(second)).toEqual(Object.keys(first));
  expect((await call(getMe, { key: second['orders:read'] })).body.scopes).toEqual(['orders:read']);
  expect(JSON.parse(readFileSync(file(), 'utf8')).keys).toEqual(second);
});

test.each(['{}', '{"keys": {}}', 'not JSON'])('a file that says %s is as good as none', async (text) => {
  writeFileSync(file(), text);
  const { keys } = await openDemo(folder);
  expect((await call(getMe, { key: keys.full })).body.full_access).toBe(true);
});
