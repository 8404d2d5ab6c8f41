import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readScopes } from '../../../../lib/contract/eventTypes.ts';
import { readFeedHead } from '../../../../lib/feed/feedItems.ts';
import { listRecords } from '../../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../../lib/records/update.ts';
import type { Stored } from '../../../../lib/resources/collection.ts';
import { collectionOf } from '../../../../lib/resources/collections.ts';
import { type Contact, contacts } from '../../../../lib/resources/contacts.ts';
import { resources, resourceTypes } from '../../../../lib/resources/index.ts';
import { letFeedAge } from '../../../support/data/feedAge.ts';
import { aContact, givenAccount, givenContacts, givenKey, inAnHour } from '../../../support/data/given.ts';
import { aRecord, givenRecords } from '../../../support/data/records.ts';
import { allContacts } from '../../../support/data/stored.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// Runs the program of the guide "Keep a copy in sync" against the stack, while others write.

const program = join(root, 'docs', 'clients', 'sync.ts');
const lists = resourceTypes.map((type) => resources[type].path);
const folder = temporaryFolder();
const account = givenAccount();
const file = join(folder, 'copy.json');
let KEY: string;

beforeAll(async () => {
  ({ text: KEY } = await givenKey(account, readScopes));
  await givenContacts(
    account,
    Array.from({ length: 130 }, () => aContact()),
  );
  for (const type of resourceTypes) await givenRecords(type, account, [aRecord(type), aRecord(type)]);
});
afterAll(() => removeFolder(folder));

/** Runs the program once, as a schedule does every minute. */
async function sync(): Promise<void> {
  const child = spawn(process.execPath, [program, ...lists], {
    cwd: folder,
    env: { ...process.env, URL: apiUrl, KEY },
  });
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  expect(code, stderr).toBe(0);
}

interface Copy {
  number: number;
  items: Record<string, Stored>;
}

const readCopy = () => JSON.parse(readFileSync(file, 'utf8')) as Copy;

/** Every record of the account. */
async function truth(): Promise<Record<string, Stored>> {
  const page = { limit: 100, offset: 0 };
  const records: Stored[] = await allContacts(account);
  for (const type of resourceTypes.filter((type) => type !== 'contact'))
    records.push(...(await listRecords(inAccount(collectionOf(type), account), page)).data);
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

/** Waits until every version of every record has a number. */
async function allNumbered(): Promise<void> {
  const versions = Object.values(await truth()).reduce((sum, { version }) => sum + version, 0);
  await expect.poll(async () => (await readFeedHead(account)).count).toBe(versions);
}

/** Changes some contacts, and creates one. */
async function write(): Promise<void> {
  const all = await allContacts(account);
  const some = all.filter(() => Math.random() < 0.1);
  const change = ({ record }: { record: Contact }) => ({ content: { ...record, note: `${Math.random()}` } });
  for (const { id } of some)
    await updateRecord(inAccount(contacts, account), id, change, { deadline: inAnHour(), origin: byProduct });
  await givenContacts(account, [aContact()]);
}

/** Between two writes. Without it, a fast database would take more changes than anybody can number meanwhile. */
const pauseMs = 100;

/** What a program that walks the lists again would drop. */
const marker = { id: 'con_marker', version: 1 } as Stored;

function mark(): void {
  const copy = readCopy();
  writeFileSync(file, JSON.stringify({ ...copy, items: { ...copy.items, [marker.id]: marker } }));
}

async function expectInSync(): Promise<void> {
  await allNumbered();
  await sync();
  const { [marker.id]: _, ...items } = readCopy().items;
  expect(items).toEqual(await truth());
}

// The tests depend on their order, as time passes from one to the next.

test('the copy is what the account has, although others write during the walk and while it follows', async () => {
  let isEnd = false;
  const writing = (async () => {
    while (!isEnd) {
      await write();
      await sleep(pauseMs);
    }
  })();
  for (let runs = 0; runs < 3; runs++) await sync();
  isEnd = true;
  await writing;
  await expectInSync();
});

test('a copy that was not kept for a week follows from where it was', async () => {
  mark();
  await write();
  await allNumbered();
  await letFeedAge(account, 7);
  await write();
  await expectInSync();
  expect(readCopy().items).toHaveProperty(marker.id);
});

test('a copy that was not kept for longer than the changes are walks the lists again', async () => {
  mark();
  await write();
  await allNumbered();
  await letFeedAge(account, 31);
  await write();
  await expectInSync();
  expect(readCopy().items).not.toHaveProperty(marker.id);
});
