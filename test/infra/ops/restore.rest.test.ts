import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { connect } from '../../../infra/ops/connection.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { changed, type IssuedKey, revoked, rotated, scopedTo } from '../../../lib/keys/key.ts';
import { readKey, saveKey } from '../../../lib/keys/storedKeys.ts';
import { createRecord } from '../../../lib/records/commitQueue/create.ts';
import { getRecord, readById } from '../../../lib/records/get.ts';
import { positionOf } from '../../../lib/records/position.ts';
import {
  counterKey,
  inAccount,
  outcomeKey,
  pointerKey,
  recordKey,
  ticketKey,
} from '../../../lib/records/recordKeys.ts';
import { byProduct } from '../../../lib/records/recordOrigin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { findByExternalId } from '../../../lib/records/upsert/find.ts';
import { type Contact, contacts } from '../../../lib/resources/contacts.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import { listSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { countKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { resumeAccount, suspendAccount } from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { rotateSecret } from '../../../lib/webhooks/subscriptions/rotateSecret.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';
import { itemsWith } from '../../support/data/canaries.ts';
import {
  aContact,
  aFullKey,
  aReceiver,
  aTester,
  deleted,
  givenAccount,
  givenContacts,
  givenKey,
  givenSubscription,
  inAnHour,
} from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { itemsOf, overwrite, restoredFrom } from '../../support/data/restored.ts';
import { allContacts, everythingOf } from '../../support/data/stored.ts';
import { changeTo, givenNumbered } from '../../support/data/streamedChanges.ts';
import { withLog } from '../../support/run/logLines.ts';
import { begin, run } from '../../support/stack/commands.ts';
import { givenDeployedStack } from '../../support/stack/deployedStack.ts';
import { ownStackWithReceiver, until } from '../../support/stack/ownStackProcess.ts';

// A stack of its own, whose tables are spoiled.
const { folder, receiver, running: description } = ownStackWithReceiver();
let running: StackDescription;
beforeAll(() => {
  running = description();
});
let account: string;
beforeEach(() => {
  account = givenAccount();
});

const restore = (...args: string[]) => run('restore', [...args, '--data', folder]);
const counts = async (...args: string[]) => JSON.parse((await restore(...args, '--json')).stdout);
const totals = async (...args: string[]) => {
  const { same, brought_back, kept, passed_over, stays } = await counts(...args);
  return { same, brought_back, kept, passed_over, stays };
};

const deadline = inAnHour;
const ref = () => ({ account, type: 'contact' as const });
const remove = (TableName: string, { pk, sk }: Record<string, unknown>) =>
  dynamodb().send(new DeleteCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }));
const keyOf = ({ id }: Pick<Contact, 'id'>) => recordKey(ref(), positionOf('con', id) as number);
const change = (id: string, content: Partial<Contact>) =>
  updateRecord(inAccount(contacts, account), id, ({ record }) => ({ content: { ...record, ...content } }), {
    deadline: deadline(),
    origin: byProduct,
  });
const lose = (record: Pick<Contact, 'id'>) => remove(running.recordsTable, keyOf(record));

const page = { limit: 100, offset: 0 };
const deliveriesOf = async (id: string) => (await listDeliveries(account, id, page, { kind: 'full' })).data;
const writeOptions = () => ({ by: aFullKey, deadline: deadline(), ifMatch: () => {} });
const none = { same: 0, brought_back: 0, kept: 0, passed_over: 0, stays: 0 };
const countOf = async () => {
  const get = new GetCommand({
    TableName: running.webhooksTable,
    Key: countKey(account),
    ConsistentRead: true,
  });
  return (await dynamodb().send(get)).Item?.count;
};

/** A subscription to everything, and what its receiver has heard of records, by their versions: nothing keeps an order. */
async function givenListener() {
  const path = `hook-${account}`;
  const { id, secret } = await givenSubscription(account, { url: receiver.url(path), payload: 'full' });
  receiver.trust(path, secret);
  const received = () =>
    receiver
      .requestsAt(path)
      .map(({ body }) => {
        const { type, resource, data } = JSON.parse(body);
        return { type, id: resource.id, version: resource.version, data };
      })
      .toSorted((a, b) => a.version - b.version);
  const receivedOf = (record: string) =>
    received()
      .filter((one) => one.id === record)
      .map(({ type, version }) => `${type} ${version}`);
  /** What comes now comes after all that there was to tell. */
  const receivedAll = async () => {
    const [{ id: last }] = (await givenContacts(account, [aContact()])) as [Contact];
    await until(() => receivedOf(last).length > 0);
    return received();
  };
  /** What was received when every version of every contact has arrived. */
  const receivedEvery = async () => {
    await receivedAll();
    const contactsNow = await allContacts(account);
    const isReceived = () => {
      const versions = new Set(received().map((one) => `${one.id} ${one.version}`));
      return contactsNow.every((contact) =>
        Array.from({ length: contact.version }, (_, i) => `${contact.id} ${i + 1}`).every((one) =>
          versions.has(one),
        ),
      );
    };
    await until(isReceived);
    return received();
  };
  return { id, path, received, receivedOf, receivedAll, receivedEvery };
}

describe('records', () => {
  test('that were changed by a fault get their state of the backup back, and receivers get one event for each version', async () => {
    const { receivedOf, receivedEvery } = await givenListener();
    const before = await givenContacts(
      account,
      Array.from({ length: 20 }, (_, i) => aContact({ note: `note ${i}` })),
    );
    await givenOrders(account, [anOrder(), anOrder(), anOrder()]);
    await receivedEvery();
    const listsBefore = await everythingOf(account);
    const [imported, renamed, , overwritten, lost, changedSince, , , , last] = before as Contact[];
    if (!imported || !renamed || !overwritten || !lost || !changedSince || !last)
      throw new Error('there are too few contacts');
    const backup = await itemsOf(running.recordsTable);

    await change(imported.id, { note: 'a wrong import', tags: ['wrong'] });
    await change(renamed.id, { external_id: 'aside' });
    await change(changedSince.id, { note: 'a wrong import' });
    const stored = (await itemsOf(running.recordsTable, account)).find(({ id }) => id === overwritten.id);
    await overwrite(running.recordsTable, { ...stored, note: 'a fault', tags: 'no list' });
    await lose(lost);
    await remove(running.recordsTable, pointerKey(ref(), lost.external_id as string));
    await remove(running.recordsTable, counterKey({ account, type: 'order' }));
    await receivedEvery();
    const from = await restoredFrom(running.recordsTable, backup);
    await change(changedSince.id, { note: 'by its owner' });
    const created = (await givenContacts(account, [aContact()]))[0] as Contact;

    const spoiled = await itemsOf(running.recordsTable);
    await restore('records', '--from', from, '--dry-run');
    expect(await itemsOf(running.recordsTable)).toEqual(spoiled);
    const { brought_back, kept, stays, kinds } = await counts(
      'records',
      '--from',
      from,
      '--account',
      account,
    );
    // The records that were imported, renamed, overwritten and lost, and the head of the orders.
    expect([brought_back, kept, stays]).toEqual([5, 2, 0]);
    expect(kinds.record).toMatchObject({ brought_back: 4, kept: 1, same: 19 });

    const asClientsSee = (contact: Contact) => ({ ...contact, version: 0, updated_at: '' });
    const after = await allContacts(account);
    expect(after.at(-1)).toEqual(created);
    const expected = before.map((contact) =>
      contact.id === changedSince.id ? { ...contact, note: 'by its owner' } : contact,
    );
    expect(after.slice(0, 20).map(asClientsSee)).toEqual(expected.map(asClientsSee));
    expect(after[4]).toEqual(lost);
    const externalIds = before.map(({ external_id }) => external_id as string);
    const found = new Map([
      ...(await findByExternalId(inAccount(contacts, account), externalIds.slice(0, 10))),
      ...(await findByExternalId(inAccount(contacts, account), externalIds.slice(10))),
    ]);
    expect(externalIds.map((one) => found.get(one)?.record.id)).toEqual(before.map(({ id }) => id));
    expect(await itemsOf(running.recordsTable, account)).not.toContainEqual(
      expect.objectContaining(pointerKey(ref(), 'aside')),
    );
    expect((await everythingOf(account)).slice(1, 3)).toEqual(listsBefore.slice(1, 3));

    const received = await receivedEvery();
    const eachVersionOnce = new Set(received.map(({ id, version }) => `${id} ${version}`));
    expect(received).toHaveLength(eachVersionOnce.size);
    expect(receivedOf(imported.id)).toEqual(['contact.created 1', 'contact.updated 2', 'contact.updated 3']);
    expect(received.findLast(({ id }) => id === imported.id)?.data.note).toBe('note 0');
    expect(receivedOf(renamed.id).at(-1)).toBe('contact.updated 3');
    expect(receivedOf(overwritten.id)).toEqual(['contact.created 1', 'contact.updated 2']);
    expect([receivedOf(lost.id), receivedOf(last.id)]).toEqual(
      Array.from({ length: 2 }, () => ['contact.created 1']),
    );

    const once = await itemsOf(running.recordsTable, account);
    expect(await totals('records', '--from', from, '--account', account)).toMatchObject({
      brought_back: 0,
      stays: 0,
    });
    expect(await itemsOf(running.recordsTable, account)).toEqual(once);
  });

  test('a restore that was killed is finished by the next one, and overwrites nothing that is written meanwhile', async () => {
    const before = await givenContacts(
      account,
      Array.from({ length: 300 }, (_, i) => aContact({ note: `note ${i}` })),
    );
    const backup = await itemsOf(running.recordsTable, account);
    for (const item of backup.filter(({ sk }) => sk !== 'pointer')) await remove(running.recordsTable, item);
    const from = await restoredFrom(running.recordsTable, backup);
    const { child, ended } = begin('restore', ['records', '--from', from, '--data', folder]);
    await until(async () => (await itemsOf(running.recordsTable, account)).length > 310);
    child.kill('SIGKILL');
    await ended;
    expect((await itemsOf(running.recordsTable, account)).length).toBeLessThan(backup.length);
    const again = begin('restore', ['records', '--from', from, '--data', folder, '--json']).ended.then(
      ({ stdout }) => JSON.parse(stdout),
    );
    const back = new Set<string>();
    const created: Contact[] = [];
    // A write to what has come back wins, and a create gets a position behind all that comes back.
    for (let done = false; !done; ) {
      done = await Promise.race([again.then(() => true), sleep(5, false)]);
      const next = before.find(({ id }) => !back.has(id)) as Contact;
      if (!next || back.size === 50) continue;
      if (await change(next.id, { note: 'by its owner' }).catch(() => undefined)) back.add(next.id);
      if (back.size % 10 === 1) created.push(...(await givenContacts(account, [aContact()])));
    }
    expect(await again).toMatchObject({ stays: 0, complete: true });
    expect(back.size).toBeGreaterThan(0);
    const expected = before.map(({ id, note }) => (back.has(id) ? 'by its owner' : note));
    const after = await allContacts(account);
    expect(after.map(({ id }) => id)).toEqual([...before, ...created].map(({ id }) => id));
    expect(after.slice(0, 300).map(({ note }) => note)).toEqual(expected);
    expect(await totals('records', '--from', from)).toMatchObject({
      brought_back: 0,
      kept: back.size + 1,
      stays: 0,
    });
  });

  test('a lost record with a number for a later version comes back as the version after that', async () => {
    const [{ id }] = (await givenContacts(account, [aContact({ note: 'before' })])) as [Contact];
    const backup = await itemsOf(running.recordsTable, account);
    await change(id, { note: 'later' });
    await withLog(() =>
      givenNumbered([1, 2].map((n) => changeTo({ account, type: 'contact', position: 0, id }, n))),
    );
    await lose({ id });
    const from = await restoredFrom(running.recordsTable, backup);
    await restore('records', '--from', from);
    expect(await getRecord(inAccount(contacts, account), id)).toMatchObject({ note: 'before', version: 3 });
  });

  test('a newer record keeps the position or the external id of a lost one, and the exit code reports it', async () => {
    const [first, second] = (await givenContacts(account, [aContact(), aContact()])) as [Contact, Contact];
    const backup = await itemsOf(running.recordsTable, account);
    for (const item of backup) await remove(running.recordsTable, item);
    const [since] = (await givenContacts(account, [{ external_id: second.external_id }])) as [Contact];
    const from = await restoredFrom(running.recordsTable, backup);
    const { code, stdout, stderr } = await restore('records', '--from', from);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^record( +0){4} +2$/m);
    expect(stderr.split('\n').sort().join('\n')).toContain(
      `the record ${first.id} is not brought back: ${since.id} has been created at its position since`,
    );
    expect(stderr).toContain(
      `the record ${second.id} does not get its external id back: another record has it since`,
    );
    expect(stderr).not.toContain(second.external_id as string);
    expect(await allContacts(account)).toEqual([since, { ...second, external_id: null }]);
    const once = await itemsOf(running.recordsTable, account);
    expect(await totals('records', '--from', from)).toMatchObject({ brought_back: 0, stays: 2 });
    expect(await itemsOf(running.recordsTable, account)).toEqual(once);
  });

  test('kept answers, expired items and queued drafts do not come back', async () => {
    const second = Math.floor(Date.now() / 1000);
    const answer = { sk: 'answer', fingerprint: 'f', body: '{}', expires_at: Date.now() + 60_000 };
    const from = await restoredFrom(running.recordsTable, [
      { ...answer, pk: `${account}#idempotency#a`, ttl: second + 60 },
      { ...pointerKey(ref(), 'expired'), id: 'con_1', ttl: second - 1 },
      { ...ticketKey(ref(), 'ticket'), draft: {}, deadline: 0, ttl: second + 60 },
      { ...outcomeKey(ref(), 'ticket'), outcome: {}, ttl: second + 60 },
      // A create that is in the restored table by half.
      { ...recordKey(ref(), 0), id: 'con_1', version: 1 },
      { pk: `${account}#unheard`, sk: 'of' },
    ]);
    expect(await totals('records', '--from', from, '--account', account)).toEqual({
      ...none,
      passed_over: 6,
    });
    expect(await itemsOf(running.recordsTable, account)).toEqual([]);
  });
});

test.each<[string, () => string, RegExp]>([
  ['the live one', () => running.recordsTable, /is the live table; --from names the table/],
  [
    'one with another key',
    () => running.keysTable,
    /its key is pk \(HASH\), and must be pk \(HASH\), sk \(RANGE\)\.\n$/,
  ],
])('a table that cannot be the restored one is refused: %s', async (_, from, sentence) => {
  const { code, stdout, stderr } = await restore('records', '--from', from());
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
});

describe('webhooks', () => {
  test('that are lost come back with their secrets and an empty log, and are sent what happens from then on', async () => {
    const { id, received, receivedAll } = await givenListener();
    await receivedAll();
    const { id: deleted } = await givenSubscription(account);
    const { id: rotated } = await givenSubscription(account);
    const backup = await itemsOf(running.webhooksTable, account);
    const receivedBefore = received().length;

    await deleteSubscription(account, deleted, deadline());
    const {
      body: { secret_hint },
    } = await rotateSecret(account, rotated, 0, { by: aFullKey, deadline: deadline(), once: undefined });
    const isGone = ({ pk, sk }: Record<string, unknown>) =>
      sk === id || String(pk).split('#')[1] === id || String(pk).includes('#event#');
    for (const item of backup.filter(isGone)) await remove(running.webhooksTable, item);
    const from = await restoredFrom(running.webhooksTable, backup);

    const { brought_back, kept, stays, kinds } = await counts('webhooks', '--from', from);
    expect([brought_back, kept, stays]).toEqual([1, 2, 0]);
    expect(kinds.subscription).toEqual({ ...none, brought_back: 1, kept: 2 });
    const after = (await listSubscriptions(account, page)).data;
    expect(after.map((one) => one.id)).toEqual([id, rotated]);
    expect(after[1]?.secret_hint).toBe(secret_hint);
    expect(await deliveriesOf(id)).toEqual([]);
    expect(await countOf()).toBe(2);

    await receivedAll();
    expect(received()).toHaveLength(receivedBefore + 1);
    expect((await deliveriesOf(id)).map(({ event_type }) => event_type)).toEqual(['contact.created']);
    expect(await totals('webhooks', '--from', from)).toMatchObject({ brought_back: 0, stays: 0 });
  });
});

describe('what was deleted since the backup', () => {
  /** A contact with a text, whose receiver failed; backups of both tables; and then its deletion. */
  async function givenDeleted() {
    receiver.reply = () => 500;
    onTestFinished(() => {
      receiver.reply = () => 204;
    });
    const text = `person-${account}`;
    const { id: subscription, received } = await givenListener();
    const once = { name: `createContact#${'0'.repeat(64)}`, fingerprint: 'f' };
    const content = { ...contacts.blank, external_id: text, email: `${text}@example.com` };
    const { body: contact } = await createRecord(inAccount(contacts, account), content, {
      deadline: deadline(),
      origin: byProduct,
      once,
    });
    await until(() => received().length === 1);
    await until(async () => (await deliveriesOf(subscription))[0]?.attempt_count === 1);
    const [records, webhooks] = [
      await itemsOf(running.recordsTable, account),
      await itemsOf(running.webhooksTable, account),
    ];
    await deleted(account, contact.id);
    await until(() => received().length > 1);
    const restoreBoth = async () => {
      for (const [kind, table, items] of [
        ['records', running.recordsTable, records],
        ['webhooks', running.webhooksTable, webhooks],
      ] as const)
        expect((await counts(kind, '--from', await restoredFrom(table, items))).stays).toBe(0);
    };
    const read = () => readById({ account, type: 'contact' }, contact.id);
    return { text, contact, records, webhooks, restoreBoth, read };
  }

  test('stays deleted', async () => {
    const { text, records, restoreBoth, read } = await givenDeleted();
    expect(JSON.stringify(records)).toContain(text);
    await restoreBoth();
    expect(await itemsWith(text)).toEqual([]);
    expect(await read()).toMatchObject({ version: 2, deleted_at: expect.any(String) });
  });

  test('comes back as a tombstone when it was lost, with its place in the set of the deleted ones or without it', async () => {
    const { text, restoreBoth, read } = await givenDeleted();
    for (const item of await itemsOf(running.recordsTable, account))
      if (!String(item.pk).includes('#deleted#')) await remove(running.recordsTable, item);
    await restoreBoth();
    expect(await itemsWith(text)).toEqual([]);
    expect(await read()).toMatchObject({ deleted_at: expect.any(String) });
    expect(await allContacts(account)).toEqual([]);
  });
});

describe('the URL of a subscription', () => {
  const again = (url: string) => givenSubscription(account, { url });

  test('that is lost with its subscription is reserved again', async () => {
    const { id, url } = await givenSubscription(account);
    const backup = await itemsOf(running.webhooksTable, account);
    for (const item of backup) await remove(running.webhooksTable, item);
    const from = await restoredFrom(running.webhooksTable, backup);
    expect((await counts('webhooks', '--from', from)).stays).toBe(0);
    await expect(again(url)).rejects.toThrow(`by ${id}:`);
    expect(await totals('webhooks', '--from', from)).toMatchObject({ brought_back: 0, stays: 0 });
  });

  test('that another subscription has since stays with that one', async () => {
    const { id, url } = await givenSubscription(account);
    const backup = await itemsOf(running.webhooksTable, account);
    for (const item of backup) await remove(running.webhooksTable, item);
    const { id: other } = await again(url);
    const from = await restoredFrom(running.webhooksTable, backup);
    const { code, stderr } = await restore('webhooks', '--from', from);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${id}: another subscription of the account has its URL since\n`),
    ]);
    await expect(again(url)).rejects.toThrow(`by ${other}:`);
  });
});

describe('an account that is suspended', () => {
  test('is suspended again when that is lost, and not when it was resumed since the backup', async () => {
    const { text } = await givenKey(account);
    await suspendAccount(account);
    const tables = [running.keysTable, running.webhooksTable];
    const backups = await Promise.all(tables.map((table) => itemsOf(table, account)));
    for (const [i, table] of tables.entries())
      for (const item of backups[i] as Record<string, unknown>[]) await remove(table, item);
    const [keys, webhooks] = await Promise.all(
      tables.map((table, i) => restoredFrom(table, backups[i] as Record<string, unknown>[])),
    );
    const restoreAll = async () => {
      await restore('keys', '--from', keys as string, '--account', account);
      await restore('webhooks', '--from', webhooks as string, '--account', account);
      await (await connect({ data: folder })).flushAuthorizers();
      const headers = { 'X-Api-Key': text };
      const { status } = await fetch(`${running.url}/contacts`, { headers });
      const [held] = (await itemsOf(running.webhooksTable, account)).filter(({ sk }) => sk === 'suspension');
      return [status, held?.suspended_at !== undefined];
    };
    expect(await restoreAll()).toEqual([403, true]);
    await resumeAccount(account);
    expect(await restoreAll()).toEqual([200, false]);
  });
});

describe('what people and the operator did to subscriptions since the backup holds', () => {
  const byPerson = () => ({ ...writeOptions(), by: { ...aFullKey, who: aTester } });
  const rotate = (id: string) =>
    rotateSecret(account, id, 0, { by: byPerson().by, deadline: deadline(), once: undefined });
  const loseAll = async (isLost: (item: Record<string, unknown>) => boolean) => {
    for (const item of (await itemsOf(running.webhooksTable, account)).filter(isLost))
      await remove(running.webhooksTable, item);
  };
  const isOf = (id: string) => (item: Record<string, unknown>) => item.sk === id;
  /** Restores twice. The second time nothing comes back. */
  async function restoreTwice(backup: readonly Record<string, unknown>[]) {
    const from = await restoredFrom(running.webhooksTable, backup);
    const args = ['webhooks', '--from', from, '--account', account];
    const { stderr, code } = await restore(...args);
    const shown = (await listSubscriptions(account, page)).data;
    expect(await totals(...args)).toMatchObject({ brought_back: 0 });
    expect((await listSubscriptions(account, page)).data).toEqual(shown);
    const of = (id: string) => shown.find((one) => one.id === id);
    return { of, stderr, code };
  }

  test.each<['pause' | 'block', string]>([
    ['pause', 'operator'],
    ['block', 'blocked'],
  ])(
    'what %s has stopped comes back stopped, and is active when the stop ends',
    async (stop, status_reason) => {
      const host = `8.8.${randomInt(255)}.${randomInt(255)}`;
      const { id } = await givenSubscription(account, { url: `https://${host}/a` });
      const backup = await itemsOf(running.webhooksTable, account);
      const operator = (change: string) =>
        run('webhooks', [change, '--host', host, '--data', folder]).then(({ code }) => expect(code).toBe(0));
      await operator(stop);
      await loseAll(isOf(id));
      const { of } = await restoreTwice(backup);
      expect(of(id)).toMatchObject({ status: 'paused', status_reason });
      await operator(stop === 'pause' ? 'resume' : 'unblock');
      const { data } = await listSubscriptions(account, page);
      expect(data.map(({ status }) => status)).toEqual(['active']);
    },
  );

  test('a subscription that a person has corrected stays as it is', async () => {
    const thief = await givenSubscription(account, { payload: 'full' });
    const backup = await itemsOf(running.webhooksTable, account);
    const own = { url: aReceiver(), payload: 'thin' as const };
    await updateSubscription(account, thief.id, own, byPerson());
    const { of, code } = await restoreTwice(backup);
    expect([of(thief.id), code]).toMatchObject([own, 0]);
  });

  test('a lost one whose correction or new secret is lost stays lost, and the exit code reports it', async () => {
    const given = async () => (await givenSubscription(account)).id;
    const [before, corrected] = [await given(), await given()];
    const [rotated, deleted] = [await given(), await given()];
    await rotate(before);
    const backup = await itemsOf(running.webhooksTable, account);
    await updateSubscription(account, corrected, { url: aReceiver() }, byPerson());
    await rotate(rotated);
    await deleteSubscription(account, deleted, deadline(), aTester);
    await loseAll(() => true);
    const { of, stderr, code } = await restoreTwice(backup);
    expect(of(before)).toMatchObject({ status: 'active', version: 2 });
    expect([corrected, rotated, deleted].map(of)).toEqual([undefined, undefined, undefined]);
    expect(code).toBe(1);
    for (const id of [corrected, rotated])
      expect(stderr).toContain(`${id}: a person has changed the subscription since`);
  });
});

describe('keys', () => {
  test('that are lost come back and work; keys that were revoked, rotated or narrowed since the backup stay so', async () => {
    const [lost, half, revokedSince, narrowed, rotatedSince] = (await Promise.all(
      Array.from({ length: 5 }, () => givenKey(account)),
    )) as [IssuedKey, IssuedKey, IssuedKey, IssuedKey, IssuedKey];
    const use = ({ text }: IssuedKey) => fetch(`${running.url}/contacts`, { headers: { 'X-Api-Key': text } });
    expect((await use(lost)).status).toBe(200);
    const backup = await itemsOf(running.keysTable, account);
    for (const { hash } of lost.key.secrets) await remove(running.keysTable, { pk: hash });
    await remove(running.keysTable, { pk: lost.key.id });
    await saveKey(revoked(half.key, new Date()), half.key, aTester);
    await remove(running.keysTable, { pk: half.key.id });
    await saveKey(revoked(revokedSince.key, new Date()), revokedSince.key, aTester);
    await saveKey(changed(narrowed.key, { access: scopedTo(['orders:read']) }), narrowed.key, aTester);
    await saveKey(rotated(rotatedSince.key, 'test', 0, new Date()).key, rotatedSince.key, aTester);
    await (await connect({ data: folder })).flushAuthorizers();
    expect((await use(lost)).status).toBe(401);
    const from = await restoredFrom(running.keysTable, backup);
    const { kinds, stays } = await counts('keys', '--from', from, '--account', account);
    expect([stays, kinds.key]).toEqual([1, { ...none, brought_back: 1, kept: 3, stays: 1 }]);
    const answers = await Promise.all([lost, half, revokedSince, narrowed, rotatedSince].map(use));
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 403, 401]);
    expect(await readKey(half.key.id)).toBeUndefined();
    expect((await counts('keys', '--from', from, '--account', account)).brought_back).toBe(0);
  });
});

test('on a deployed stack the tables are those of its outputs', async () => {
  const [contact] = (await givenContacts(account, [aContact()])) as [Contact];
  const backup = await itemsOf(running.recordsTable, account);
  await lose(contact);
  const from = await restoredFrom(running.recordsTable, backup);
  // Of the rest of AWS, Lambda tells the key of ids.
  const env = await givenDeployedStack(running, {}, (_, response) =>
    response.end(JSON.stringify({ Environment: { Variables: running.fanOutVariables } })),
  );
  const args = ['records', '--from', from, '--stack', 'public-api-prod'];
  const { code, stdout } = await run('restore', args, { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^record +0 +1( +0){3}$/m)]);
  expect(await allContacts(account)).toEqual([contact]);
});
