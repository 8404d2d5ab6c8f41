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
  const { code, stdout, stderr } = await run('console', ['--account', account]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/\nIt opens the account \S+ for .+ as admin, once, until \S+Z\./),
  });
  // Alone on standard output, so that another program can open it.
  expect(stdout.trim()).toMatch(link);
  const answer = await follow(stdout);
  expect([answer.status, await answer.json()]).toMatchObject([201, { account, role: 'admin' }]);
  expect((await follow(stdout)).status).toBe(401);
});

test('a link that lets one look works until the sessions of the account are ended', async () => {
  const linkFor = async () => {
    const { stdout } = await run('console', ['link', '--account', account, '--role', 'viewer', '--json']);
    return JSON.parse(stdout) as { url: string; expires_at: string };
  };
  const [used, unused] = [await linkFor(), await linkFor()];
  expect(Date.parse(used.expires_at)).toBeGreaterThan(Date.now());
  const cookie = (await follow(used.url)).headers.getSetCookie()[0]?.split(';')[0] as string;
  const { username: name } = userInfo();
  expect(await (await read(cookie)).json()).toMatchObject({ actor: { name }, role: 'viewer' });
  const { stdout } = await run('console', ['end', '--account', account]);
  expect(stdout).toMatch(/^[2-4] sessions and links have ended\.\n$/);
  expect((await read(cookie)).status).toBe(401);
  expect((await follow(unused.url)).status).toBe(401);
  const made = (await entriesOf(account)).filter(({ action }) => action !== 'session.started');
  // The backend of the product cannot make such entries.
  expect(new Set(made.map(({ author }) => author.kind))).toEqual(new Set(['operator']));
  expect(new Set(made.map(({ author }) => author.name))).toEqual(new Set([userInfo().username]));
});
