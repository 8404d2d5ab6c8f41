import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { byKey, byProduct } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { upsertMany } from '../../../lib/records/upsert/upsert.ts';
import { contacts, createContact } from '../../../lib/resources/contacts.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { canaryContact } from '../../support/data/canaries.ts';
import {
  aContact,
  deleted,
  givenAccount,
  givenContacts,
  givenKey,
  givenSubscription,
} from '../../support/data/given.ts';
import { aRecord, givenRecords } from '../../support/data/records.ts';
import { call } from '../../support/http/api.ts';
import { run } from '../../support/stack/commands.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const exportTo = (account: string, name: string) =>
  run('accounts', ['export', '--account', account, '--to', join(folder, name)]);
const textOf = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8');
const linesOf = (name: string, file: string) =>
  textOf(name, file)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('an export', () => {
  test('has all but secrets, and its records are the same when they are imported into another account', async () => {
    const [account, other] = [givenAccount(), givenAccount()];
    const { key, text } = await givenKey(account);
    const { body: ofClient } = await call(createContact, { key: text, body: { email: 'ada@example.com' } });
    const [sent] = await upsertMany(inAccount(contacts, account), [
      {
        content: canaryContact('exported'),
        rowAt: '2026-03-01T09:30:00.000Z',
        origin: byProduct,
        sourceId: 'user-17',
        terms: { revision: 7 },
      },
    ]);
    const { id } = (sent as { record: { id: string } }).record;
    await updateRecord(
      inAccount(contacts, account),
      id,
      ({ record }) => ({ content: { ...record, note: 'by a client' } }),
      {
        deadline: Date.now() + 60_000,
        origin: byKey(key.id),
      },
    );
    const [gone] = await givenContacts(account, [aContact({ note: 'to be deleted' })]);
    await deleted(account, gone?.id as string);
    for (const type of resourceTypes) await givenRecords(type, account, [aRecord(type), aRecord(type)]);
    const { secret } = await givenSubscription(account);

    const { code, stdout, stderr } = await exportTo(account, 'first');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`The account ${account} is in ${join(folder, 'first')}.\n`);
    expect(linesOf('first', 'contacts.ndjson')).toMatchObject([
      { email: 'ada@example.com', source_id: ofClient.id },
      { source_id: 'user-17', revision: 7, updated_at: '2026-03-01T09:30:00.000Z', note: 'by a client' },
      {},
      {},
    ]);
    expect(linesOf('first', 'contacts.facts.ndjson')).toMatchObject([
      { id: ofClient.id, version: 1, created_at: ofClient.created_at, client_edits: { email: 1 } },
      { id, version: 2, client_edits: { note: 2 }, origin: { kind: 'api', key_id: key.id } },
      { id: gone?.id, deleted_at: expect.stringMatching(/Z$/), origin: { kind: 'operator' } },
      {},
      {},
    ]);
    expect(linesOf('first', 'keys.ndjson')).toMatchObject([{ key_id: key.id, full_access: true }]);
    expect(linesOf('first', 'subscriptions.ndjson')).toMatchObject([{ status: 'active' }]);
    expect(linesOf('first', 'activity.ndjson')).toMatchObject([{ action: 'key.created', key_id: key.id }]);
    const whole = readdirSync(join(folder, 'first'))
      .map((file) => textOf('first', file))
      .join('');
    for (const hidden of [text, secret, ...key.secrets.map(({ hash }) => hash)])
      expect(whole).not.toContain(hidden);
    for (const file of readdirSync(join(folder, 'first')))
      expect(statSync(join(folder, 'first', file)).mode & 0o077, file).toBe(0);

    for (const type of resourceTypes) {
      const { path } = resources[type];
      const args = [path, join(folder, 'first', `${path}.ndjson`), '--account', other, '--json'];
      const { length } = linesOf('first', `${path}.ndjson`);
      expect(JSON.parse((await run('import', args, { cwd: folder })).stdout)).toMatchObject({
        created: length,
      });
      expect(JSON.parse((await run('import', args, { cwd: folder })).stdout)).toMatchObject({
        created: 0,
        refused: 0,
      });
    }
    await exportTo(other, 'second');
    for (const type of resourceTypes) {
      const file = `${resources[type].path}.ndjson`;
      // The line of a deleted record is empty.
      expect(textOf('second', file), file).toBe(textOf('first', file).replace('\n\n', '\n'));
    }
  });

  test('goes into a folder of its own', async () => {
    await exportTo(givenAccount(), 'own');
    const { code, stderr } = await exportTo(givenAccount(), 'own');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The folder .* is not empty\. Name a new one for each export\.\n$/);
  });
});

describe('a deletion', () => {
  const remove = (account: string, input: string) =>
    run('accounts', ['delete', '--account', account], { input });

  test('takes the access of keys that the gateway knows, and nothing is left', async () => {
    const [account, other] = [givenAccount(), givenAccount()];
    const [{ text: key }, { text: others }] = [await givenKey(account), await givenKey(other)];
    await givenRecords('order', account, [aRecord('order')]);
    expect((await call(listOrders, { key })).status).toBe(200);
    const { code, stdout } = await remove(account, `${account}\n`);
    expect(code).toBe(0);
    expect(stdout).toContain(`nothing is left of the account ${account} in any table.\n`);
    expect((await call(listOrders, { key })).status).toBe(401);
    expect((await call(listOrders, { key: others })).status).toBe(200);
    const { stderr } = await run('accounts', ['resume', '--account', account]);
    expect(stderr).toBe(
      `The account ${account} has no key, no record and no webhook subscription yet. Check its name.\n`,
    );
  });

  test.each([['another-name\n'], ['']])('does nothing unless its name is typed again: %j', async (input) => {
    const account = givenAccount();
    const { text: key } = await givenKey(account);
    expect(await remove(account, input)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/\nThat is not its name: nothing was deleted\.\n$/),
    });
    expect((await call(listOrders, { key })).status).toBe(200);
  });
});
