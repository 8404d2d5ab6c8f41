import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ConsoleKey } from '../../../../lib/contract/console/consoleKeys.ts';
import { changePastSystem } from '../../../support/console/givenConsole.ts';
import { desk } from '../../../support/console/openPage.ts';
import {
  button,
  choose,
  consoleUrl,
  everything,
  fillKey,
  submit,
  useConsole,
} from '../../../support/console/useConsole.ts';

import { aFullKey, givenSubscription } from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';

const run = promisify(execFile);

// The keys of the console as people see them, in a browser.

const used = useConsole();

const secretShape = /pak_test_[\w-]{32,}/;

describe('a new key', () => {
  test('is made with its name and scopes, and its secret is shown once, with a command to try it', async () => {
    const page = await used.open();
    await fillKey(page, 'Shop import');
    await submit(page).click();
    const secret = await page.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
    expect(secret).toMatch(secretShape);
    const command = await page.getByLabel('Try it in a terminal').inputValue();
    expect(command).toBe(`curl '${apiUrl}/contacts?limit=1' -H 'X-Api-Key: ${secret}'`);
    const { stdout } = await run('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`]);
    expect(stdout).toBe('200');
    await button(page, 'Copy API key').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await button(page, 'Done').click();
    await page.getByRole('link', { name: 'Shop import' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Create key');
    expect(await used.keys('Shop import')).toMatchObject([{ scopes: ['contacts:read'], expires_at: null }]);
    expect(await everything(page)).not.toContain(secret);
  });
});

describe('a key', () => {
  test('is rotated with the chosen overlap, and shows when each secret was last used', async () => {
    const page = await used.open();
    await choose(page, 'Newsletter tool', 'Rotate…');
    const overlap = page.getByLabel('Previous secret ends');
    expect(await overlap.inputValue()).toBe('604800');
    const [older] = (await used.keys('Newsletter tool')).map(({ secrets }) => secrets[1]?.hint);
    await page.getByRole('row', { name: `…${older} in 4 days 12 hours ago` }).waitFor();
    await overlap.selectOption('In 1 hour');
    await submit(page).click();
    expect(await page.getByRole('textbox', { name: 'API key', exact: true }).inputValue()).toMatch(
      secretShape,
    );
    const [{ secrets }] = (await used.keys('Newsletter tool')) as [ConsoleKey];
    expect(secrets).toHaveLength(3);
    expect(Date.parse(secrets[1]?.expires_at as string) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test('is revoked after it was named, and it is said when that counts', async () => {
    const page = await used.open();
    await choose(page, 'Warehouse sync', 'Revoke…');
    const dialog = page.getByRole('dialog', { name: 'Revoke “Warehouse sync”?' });
    await dialog.getByText(/ are rejected within seconds\./).waitFor();
    await dialog.getByText(/^Last used: 1\d minutes ago, 1 request in the last 24 hours/).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'GET /contacts 1' }).waitFor();
    await submit(page).click();
    await dialog.getByText('Type Warehouse sync to confirm.').waitFor();
    expect(await used.keys('Warehouse sync')).toMatchObject([{ revoked_at: null }]);
    await dialog.getByLabel('Type Warehouse sync to confirm').fill('Warehouse sync');
    await submit(page).click();
    await page.getByText('“Warehouse sync” is revoked.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Warehouse sync' }).count()).toBe(0);
  });

  test('is revoked with the webhook subscriptions that it has made or changed, which are paused when that is wanted', async () => {
    const [key] = await used.keys('Warehouse sync');
    const by = { ...aFullKey, keyId: key?.id as string };
    const given = { url: 'http://127.0.0.1:9/a-credential' };
    const { id } = await givenSubscription(used.account, given, by);
    const other = await givenSubscription(used.account);
    const page = await used.open();
    await page.goto(`${consoleUrl}#/webhooks/${id}`);
    await page.getByText('by the key Warehouse sync').first().waitFor();
    await page.getByRole('link', { name: 'Warehouse sync' }).first().click();
    await button(page, 'Revoke…').click();
    const dialog = page.getByRole('dialog');
    const subscriptions = dialog.getByRole('listitem').filter({ hasText: '127.0.0.1' });
    await subscriptions.waitFor();
    expect(await subscriptions.count()).toBe(1);
    expect(await dialog.textContent()).not.toContain('a-credential');
    await dialog.getByRole('checkbox', { name: 'Pause the one that is sent events' }).check();
    await dialog.getByLabel('Type Warehouse sync to confirm').fill('Warehouse sync');
    await submit(page).click();
    await page.getByText('“Warehouse sync” is revoked.').waitFor();
    const statuses = (await used.subscriptions()).map((one) => [one.id, one.status]);
    expect(Object.fromEntries(statuses)).toEqual({ [id]: 'paused', [other.id]: 'active' });
  });

  test('has a page with its history, and says loudly when a change was not recorded', async () => {
    const page = await used.open();
    await changePastSystem(used.account, 'Newsletter tool');
    await page.getByRole('link', { name: 'Newsletter tool' }).click();
    await page.getByRole('heading', { level: 1, name: 'Newsletter tool' }).waitFor();
    await page.getByText('Jonas Weber rotated').waitFor();
    await page.getByText('Not every change of this key is recorded').waitFor();
    await page.getByRole('link', { name: '← API keys' }).click();
    await page.getByRole('link', { name: 'Check-in app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check-in app' }).waitFor();
    expect(await page.getByText('Not every change').count()).toBe(0);
  });
});

test('a viewer sees all, and nothing that would be refused', async () => {
  const page = await used.open(desk, { role: 'viewer' });
  await page.getByText('read-only').waitFor();
  const names = async () => {
    const all = (await page.getByRole('button').allInnerTexts()).map((text) => text.trim());
    return all.filter((name) => name !== 'Muster GmbH · Ana Ruiz');
  };
  await page.getByRole('link', { name: 'Warehouse sync' }).click();
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  expect(await names()).toEqual([expect.stringMatching(/^Copy/)]);
  const { id } = await givenSubscription(used.account, { url: 'http://127.0.0.1:9/hook' });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: /127.0.0.1/ }).waitFor();
  expect(await names()).toEqual([]);
  await page.goto(`${consoleUrl}#/webhooks/${id}`);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  for (const name of await names()) expect(name).toMatch(/^(Copy[\s\S]*|Refresh)$/);
});
