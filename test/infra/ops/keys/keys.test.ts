import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { getMe } from '../../../../lib/contract/me.ts';
import {
  createWebhookSubscription,
  updateWebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { keyHashOf, newKey } from '../../../../lib/keys/format.ts';
import { listOrders } from '../../../../lib/resources/orders.ts';
import { readSubscriptions } from '../../../../lib/webhooks/model/subscriptions.ts';
import { aContact, aReceiver, givenAccount, givenContacts, givenKey } from '../../../support/data/given.ts';
import { call } from '../../../support/http/api.ts';
import { isWhole } from '../../../support/run/extent.ts';
import { run } from '../../../support/stack/commands.ts';
import { givenDeployedStack } from '../../../support/stack/deployedStack.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { givenUse } from '../../../support/usage/logs.ts';

const keys = (...args: string[]) => run('keys', args);
const json = async (...args: string[]) => JSON.parse((await keys(...args, '--json')).stdout);
const me = async (key: string) => call(getMe, { key });

/** What an operation answers that believes the gateway, whose memory of a key is what a change has to reach. */
const statusFor = async (key: string) => (await call(listOrders, { key })).status;

describe('create', () => {
  test('a key with scopes: it is shown once, and works', async () => {
    const account = givenAccount();
    const made = await json(
      'create',
      '--account',
      account,
      '--name',
      'CRM sync',
      '--scope',
      'contacts:read',
      '--scope',
      'contacts:write',
      '--expires',
      '90d',
    );
    expect(made).toMatchObject({
      key: expect.stringMatching(/^pak_test_[0-9A-Za-z]{38}$/),
      key_id: expect.stringMatching(/^key_/),
      account,
      name: 'CRM sync',
      scopes: ['contacts:read', 'contacts:write'],
      full_access: false,
      revoked_at: null,
    });
    expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    expect((await me(made.key)).body).toMatchObject({ account, key_id: made.key_id, scopes: made.scopes });
  });

  test('a key with full access needs an explicit option', async () => {
    const account = givenAccount();
    const refused = await keys('create', '--account', account, '--name', 'x');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^Name what the key may do: --scope .* or --full-access\./);
    expect(await json('list', '--account', account)).toEqual([]);
    const made = await json('create', '--account', account, '--name', 'x', '--full-access');
    expect((await me(made.key)).body).toMatchObject({ full_access: true, scopes: [] });
  });

  test('for an account without anything it says so, because its name may be mistyped', async () => {
    const [account, other] = [givenAccount(), givenAccount()];
    await givenContacts(other, [aContact()]);
    const create = (name: string) =>
      keys('create', '--account', name, '--name', 'x', '--full-access', '--json');
    const first = await create(account);
    const { new_account } = JSON.parse(first.stdout);
    expect(new_account).toBe(true);
    expect(first).toMatchObject({
      code: 0,
      stderr: `The account ${account} has no key, no record and no webhook subscription yet. Check its name.\n`,
    });
    for (const name of [account, other]) {
      const { stdout, stderr } = await create(name);
      expect([JSON.parse(stdout).new_account, stderr]).toEqual([false, '']);
    }
  });
});

describe('list', () => {
  test('shows the keys of an account, without secrets', async () => {
    const account = givenAccount();
    const { key, text } = await givenKey(account, ['orders:read'], { name: 'Orders' });
    await givenUse(key, new Date());
    const list = await keys('list', '--account', account);
    expect(list.stdout).toMatch(
      new RegExp(
        `^${key.id}  ${account}  Orders  …${text.slice(-4)}    live   \\d{4}-\\S+Z  orders:read$`,
        'm',
      ),
    );
    expect(list.stdout).not.toContain(text);
    expect(list.stdout).not.toContain(keyHashOf(text));
    expect((await keys('list')).stdout).toContain(`${key.id}  ${account}`);
  });

  test('an error for a key that does not exist, and for an invalid key id', async () => {
    expect(await keys('history', 'key_000000000000000000000000')).toMatchObject({
      code: 1,
      stderr: 'There is no key key_000000000000000000000000.\n',
    });
    expect((await keys('history', 'hello')).stderr).toBe('"hello" is not a key id: those begin with key_.\n');
    // It may be a key of an older format.
    const older = 'an0lderKeyWithoutAnyShape';
    expect((await keys('history', older)).stderr).toBe('"…" is not a key id: those begin with key_.\n');
  });
});

describe('update', () => {
  test('changes the given fields, at once, although the gateway has the key in its cache', async () => {
    const { key, text } = await givenKey(givenAccount(), ['orders:read']);
    expect((await me(text)).body.scopes).toEqual(['orders:read']);
    const changed = await json(
      'update',
      key.id,
      '--name',
      'New name',
      '--scope',
      'contacts:read',
      '--expires',
      '2999-01-01T00:00:00Z',
    );
    expect(changed).toMatchObject({
      name: 'New name',
      scopes: ['contacts:read'],
      expires_at: '2999-01-01T00:00:00.000Z',
    });
    const { stdout } = await keys('update', key.id, '--full-access', '--expires', 'never');
    expect(stdout).toMatch(/ full access$/m);
    expect((await me(text)).body).toMatchObject({ name: 'New name', full_access: true, expires_at: null });
  });

  test('without anything to change, and of a revoked key, is refused', async () => {
    const { key } = await givenKey(givenAccount());
    expect((await keys('update', key.id)).stderr).toMatch(/^Name what to change/);
    await keys('revoke', key.id);
    expect((await keys('update', key.id, '--name', 'x')).stderr).toMatch(/was revoked at/);
  });
});

describe('rotate', () => {
  test('keeps the id, shows the new secret once, and lets the old one live for the overlap', async () => {
    const { key, text } = await givenKey(givenAccount(), ['orders:read']);
    const rotated = await json('rotate', key.id);
    expect(rotated).toMatchObject({ key_id: key.id, scopes: ['orders:read'] });
    const until = Date.parse(rotated.secrets[1].expires_at) - Date.now();
    expect(Math.round(until / 86_400_000)).toBe(7);
    for (const secret of [text, rotated.key]) expect((await me(secret)).body.key_id).toBe(key.id);
  });
});

describe('revoke', () => {
  test('ends all secrets of a key with the next request, and what changes nothing is not recorded', async () => {
    const { key, text } = await givenKey(givenAccount());
    const { key: second } = await json('rotate', key.id);
    for (const secret of [text, second]) expect(await statusFor(secret)).toBe(200);
    await json('update', key.id, '--name', key.name);
    const first = await json('revoke', key.id);
    for (const secret of [text, second]) expect(await statusFor(secret)).toBe(401);
    expect((await json('revoke', key.id)).revoked_at).toBe(first.revoked_at);
    const history = await json('history', key.id);
    expect(history).toMatchObject([{ action: 'key.revoked' }, { action: 'key.rotated' }, {}]);
  });

  describe('lists the subscriptions that the key has made or changed, which go on without it', () => {
    async function givenLeak() {
      const account = givenAccount();
      const [stolen, good] = [await givenKey(account), await givenKey(account)];
      const create = async (key: string) => {
        const body = { url: aReceiver(), event_types: ['*'] };
        return (await call(createWebhookSubscription, { key, body })).body.id;
      };
      const change = (key: string, subscriptionId: string, body: object) =>
        call(updateWebhookSubscription, { key, params: { subscriptionId }, body });
      const ids = { made: await create(stolen.text), changed: await create(good.text) };
      const untouched = await create(good.text);
      await change(stolen.text, ids.changed, { event_types: ['order.*'] });
      // Whoever changes it later does not make it forgotten.
      for (const id of [...Object.values(ids), untouched]) await change(good.text, id, { description: 'x' });
      const statuses = async () =>
        Object.fromEntries((await readSubscriptions(account)).map(({ id, status }) => [id, status]));
      return { key: stolen.key, account, ids, untouched, statuses };
    }

    test('and pauses them only with --pause-subscriptions', async () => {
      const { key, ids, untouched, statuses } = await givenLeak();
      const revoked = await json('revoke', key.id);
      const idsOf = ({ subscriptions }: { subscriptions: { id: string }[] }) =>
        subscriptions.map(({ id }) => id).sort();
      expect(idsOf(revoked)).toEqual(Object.values(ids).sort());
      expect(Object.values(await statuses())).toEqual(['active', 'active', 'active']);
      const paused = await json('revoke', key.id, '--pause-subscriptions');
      expect(idsOf(paused)).toEqual(Object.values(ids).sort());
      expect(await statuses()).toEqual({
        [ids.made]: 'paused',
        [ids.changed]: 'paused',
        [untouched]: 'active',
      });
    });
  });
});

test('every key in a file is revoked with the next request, of any account, and no other key', async () => {
  const account = givenAccount();
  const [one, other, untouched] = [
    await givenKey(account),
    await givenKey(givenAccount()),
    await givenKey(account),
  ];
  const made = await call(createWebhookSubscription, {
    key: one.text,
    body: { url: aReceiver(), event_types: ['*'] },
  });
  const report = JSON.stringify([
    { token: one.text, url: `https://example.com/?${other.text}` },
    { token: 'pak_live_nobodys', url: null },
    { token: one.text },
  ]);
  const { code, stdout } = await run(
    'keys',
    ['revoke', '--from-file', '-', '--pause-subscriptions', '--json'],
    {
      input: `${report}\nan older key that nobody has\n`,
    },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    keys: [{ key_id: one.key.id, account }, { key_id: other.key.id }],
    found: { texts: 4, known: 2, ended: 0 },
    cache_flushed: true,
    subscriptions: [{ id: (made.body as { id: string }).id, status: 'paused' }],
  });
  expect(stdout).not.toContain(one.text);
  const statuses = [one, other, untouched].map(async ({ text }) => (await me(text)).status);
  expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
});

test.each([
  ['utf16le', '\ufeff'],
  ['utf16le', ''],
  ['UTF-16 with the higher byte first', '\ufeff'],
  ['UTF-16 with the higher byte first', ''],
])('revoke reads a file in %s, with the mark %j', async (charset, mark) => {
  const leaked = await givenKey(givenAccount());
  const bytes = Buffer.from(`${mark}${leaked.text}\r\n`, 'utf16le');
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'leaked.txt');
  writeFileSync(file, charset === 'utf16le' ? bytes : bytes.swap16());
  const { code, stdout } = await run('keys', ['revoke', '--from-file', file, '--json']);
  expect([code, JSON.parse(stdout).keys]).toMatchObject([0, [{ key_id: leaked.key.id }]]);
  expect((await me(leaked.text)).status).toBe(401);
});

test('revoke of a file whose key has ended revokes nothing, and says so', async () => {
  const leaked = await givenKey(givenAccount());
  const revoke = () => run('keys', ['revoke', '--from-file', '-'], { input: leaked.text });
  expect((await revoke()).code).toBe(0);
  const { code, stderr } = await revoke();
  expect([code, stderr]).toEqual([1, expect.stringContaining('Known here: 1. Ended before: 1.')]);
});

test.each([
  ['without a key', () => 'nothing to see\n', 'that may be keys: 0. Known here: 0. Ended before: 0.'],
  [
    'with a key of another system',
    () => newKey('live'),
    'that may be keys: 1. Known here: 0. Ended before: 0.',
  ],
])('revoke of a file %s revokes nothing, says what it found, and exits 1', async (_, content, words) => {
  const { code, stdout, stderr } = await run('keys', ['revoke', '--from-file', '-'], { input: content() });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(words)]);
});

describe('where it works', () => {
  test.runIf(isWhole)('on a deployed stack: its tables, keys for live, and its cache flushed', async () => {
    const data = inject('dataFolder') as string;
    const { default: running } = await import(`${data}/stack.json`, { with: { type: 'json' } });
    const flushed: string[] = [];
    let mayFlush = false;
    const operator = 'arn:aws:sts::123456789012:assumed-role/Ops/jane';
    // Of the rest of AWS, STS and API Gateway as far as the command talks to them.
    const env = await givenDeployedStack(
      running,
      { RestApiId: 'abc123', StageName: 'v1' },
      ({ method, url }, response, body) => {
        if (method === 'DELETE') {
          if (mayFlush) flushed.push(url as string);
          response.writeHead(mayFlush ? 202 : 403).end();
        } else if (body.includes('Action=GetCallerIdentity')) {
          const result = `<GetCallerIdentityResult><Arn>${operator}</Arn></GetCallerIdentityResult>`;
          response.end(`<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
        } else
          response
            .writeHead(400)
            .end(
              '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id nope does not exist</Message></Error></ErrorResponse>',
            );
      },
    );
    const onStack = (name: string, ...args: string[]) =>
      run('keys', [...args, '--stack', name, '--json'], { env });
    const made = JSON.parse(
      (
        await onStack(
          'public-api-prod',
          'create',
          '--account',
          givenAccount(),
          '--name',
          'x',
          '--scope',
          'orders:read',
        )
      ).stdout,
    );
    expect(made.key).toMatch(/^pak_live_/);
    expect((await me(made.key)).status).toBe(200);
    const unflushed = await onStack('public-api-prod', 'update', made.key_id, '--name', 'y');
    expect(unflushed).toMatchObject({
      code: 1,
      stderr:
        'The cache of the authorizer could not be flushed: the change counts when the cached answers have expired.\n',
    });
    expect(JSON.parse(unflushed.stdout)).toMatchObject({ name: 'y', cache_flushed: false });
    mayFlush = true;
    const revoked = await onStack('public-api-prod', 'revoke', made.key_id);
    expect(JSON.parse(revoked.stdout)).toMatchObject({ cache_flushed: true });
    // Twice: an authorizer that has just read the key may answer after the first time.
    expect(flushed).toEqual(Array(2).fill('/restapis/abc123/stages/v1/cache/authorizers'));
    const history = JSON.parse((await onStack('public-api-prod', 'history', made.key_id)).stdout);
    expect(history.map(({ action, author }: ActivityEntry) => [action, author])).toEqual(
      ['key.revoked', 'key.renamed', 'key.created'].map((action) => [
        action,
        { kind: 'operator', id: operator, name: 'jane' },
      ]),
    );
    const { code, stderr } = await onStack('nope', 'list');
    expect([code, stderr]).toEqual([
      1,
      "The stack nope cannot be read: Stack with id nope does not exist. It is looked for with the shell's AWS credentials and AWS_REGION.\n",
    ]);
  });
});
