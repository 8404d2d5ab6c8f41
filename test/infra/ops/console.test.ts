import { userInfo } from 'node:os';
import { expect, inject, test } from 'vitest';
import { readStackFile, type StackDescription } from '../../../infra/local/process/stackFile.ts';
import { entriesOf } from '../../support/console/stored.ts';
import { givenAccount } from '../../support/data/given.ts';
import { run } from '../../support/stack/commands.ts';

const account = givenAccount();
const { consoleUrl } = readStackFile(inject('dataFolder') as string) as StackDescription;
const link = new RegExp(`^${consoleUrl}#code=[\\w-]{43}$`);

/** Follows a link, as the page does. */
const follow = (url: string) =>
  fetch(`${consoleUrl}api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ code: url.trim().split('#code=')[1] }),
  });

const read = (cookie: string) =>
  fetch(`${consoleUrl}api/session`, { headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie } });

test('a link opens the console for the operator, who may change everything', async () => {
  const { code, stdout, stderr } = await run('console', ['--account', account, '--new-account']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^It opens the account \S+ for .+ as admin, once, until \S+Z\./),
  });
  // Alone on standard output, so that another program can open it.
  expect(stdout.trim()).toMatch(link);
  const answer = await follow(stdout);
  expect([answer.status, await answer.json()]).toMatchObject([201, { account, role: 'admin' }]);
  expect((await follow(stdout)).status).toBe(401);
});

test('a link opens it for whom the operator names, to look only, until the sessions are ended', async () => {
  const linkFor = async (actor: string) => {
    const args = ['link', '--account', account, '--role', 'viewer', '--actor', actor, '--json'];
    return JSON.parse((await run('console', args)).stdout) as { url: string; expires_at: string };
  };
  const [ada, unused, other] = [await linkFor('Ada'), await linkFor('Ada'), await linkFor('Grace')];
  expect(Date.parse(ada.expires_at)).toBeGreaterThan(Date.now());
  const sessions = await Promise.all([ada, other].map(({ url }) => follow(url)));
  const cookies = sessions.map(({ headers }) => headers.getSetCookie()[0]?.split(';')[0] as string);
  const statuses = async () => (await Promise.all(cookies.map(read))).map(({ status }) => status);
  expect(await (await read(cookies[0] as string)).json()).toMatchObject({
    actor: { id: 'Ada', name: 'Ada' },
    role: 'viewer',
  });
  expect(await statuses()).toEqual([200, 200]);
  const { stdout } = await run('console', ['end', '--account', account, '--actor-id', 'Ada']);
  expect(stdout).toBe('2 sessions and links have ended.\n');
  expect(await statuses()).toEqual([401, 200]);
  expect((await follow(unused.url)).status).toBe(401);
  const all = await run('console', ['end', '--account', account, '--json']);
  expect(JSON.parse(all.stdout).ended).toBeGreaterThan(0);
  expect(await statuses()).toEqual([401, 401]);
  const made = (await entriesOf(account)).filter(({ action }) => action !== 'session.started');
  // The backend of the product cannot make such entries.
  expect(new Set(made.map(({ author }) => author.kind))).toEqual(new Set(['operator']));
  expect(new Set(made.map(({ author }) => author.name))).toEqual(new Set([userInfo().username]));
});

test.each([
  [['--account', 'a b'], /An account is 1 to 64 characters/],
  [['--account', 'acme', '--role', 'owner'], /Allowed choices are viewer, admin/],
  [['--account', 'acme', '--actor', ''], /A name must be a string of 1 to 100 characters/],
  [['end', '--account', 'acme', '--actor-id', 'a'.repeat(201)], /The id of a person/],
])('%j is refused in a sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await run('console', args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
});
