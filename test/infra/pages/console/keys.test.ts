import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import { answerCanned } from '../../../support/console/cannedWebhooks.ts';
import { changeElsewhere, changePastSystem } from '../../../support/console/givenConsole.ts';
import { desk, follow } from '../../../support/console/openPage.ts';
import {
  button,
  choose,
  consoleUrl,
  everything,
  fillKey,
  submit,
  useConsole,
} from '../../../support/console/useConsole.ts';

import { aFullKey, givenAccount, givenKey, givenSubscription } from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { isWhole } from '../../../support/run/extent.ts';

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
    await button(page, 'I have stored it').click();
    await page.getByRole('link', { name: 'Shop import' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Create key');
    expect(await used.keys('Shop import')).toMatchObject([{ scopes: ['contacts:read'], expires_at: null }]);
    expect(await everything(page)).not.toContain(secret);
  });

  test.runIf(isWhole)('is asked for what is missing, and nothing is sent', async () => {
    const page = await used.open();
    await button(page, 'Create key').click();
    await submit(page).click();
    await page.getByText('Say what the key is for.').waitFor();
    await page.getByText('Choose at least one.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toBe('Warehouse sync');
    expect(await used.keys()).toHaveLength(6);
  });

  test.runIf(isWhole)(
    'with full access is a choice of its own, and then expires after 90 days unless that is changed',
    async () => {
      const page = await used.open();
      await fillKey(page, 'Everything');
      const expires = page.getByLabel('Expires');
      expect(await expires.inputValue()).toBe('never');
      await page.getByRole('radio', { name: /Full access/ }).check();
      expect(await expires.inputValue()).toBe('90');
      await submit(page).click();
      await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
      const [made] = await used.keys('Everything');
      expect(made).toMatchObject({ full_access: true, scopes: [] });
      const days = (Date.parse(made?.expires_at as string) - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(90);
    },
  );

  test.runIf(isWhole)('that is clicked twice is made once', async () => {
    const page = await used.open();
    await fillKey(page, 'Twice');
    await submit(page).dblclick();
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(await used.keys('Twice')).toHaveLength(1);
  });

  test.runIf(isWhole)('has a secret that Escape does not close before it was copied', async () => {
    const page = await used.open();
    await fillKey(page, 'Careful');
    await submit(page).click();
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
    expect(await page.getByRole('textbox', { name: 'API key', exact: true }).count()).toBe(1);
    await button(page, 'Copy API key').click();
    await button(page, 'Copied API key').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the list', () => {
  test.runIf(isWhole)('hides keys that have ended, until they are asked for', async () => {
    const page = await used.open();
    await page.getByRole('link', { name: 'Warehouse sync' }).waitFor();
    expect(await page.getByRole('link', { name: 'Trial' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Show 2 ended' }).check();
    await page.getByRole('link', { name: 'Trial' }).waitFor();
    expect(await button(page, 'Actions for Trial').count()).toBe(0);
  });

  test('finds keys by their name, and by the last characters of any of their secrets', async () => {
    const [newsletter] = await used.keys('Newsletter tool');
    const [checkIn] = await used.keys('Check-in app');
    const page = await used.open();
    for (const [words, name] of [
      ['newsl', 'Newsletter tool'],
      [newsletter?.secrets[1]?.hint, 'Newsletter tool'],
      [checkIn?.display, 'Check-in app'],
    ]) {
      await page.getByRole('searchbox').fill(words as string);
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: name as string }).waitFor();
    }
  });

  test.runIf(isWhole)('says what to do when nothing is found, and when there is nothing', async () => {
    const page = await used.open();
    await page.getByRole('searchbox').fill('nope');
    await page.getByText('No key has “nope”').waitFor();
    await follow(page, await used.link({ account: givenAccount() }));
    await button(page, 'Open the link').click();
    await page.getByText('Create one for each program').waitFor();
  });

  test.runIf(isWhole)('has all keys of an account with more than a page of them', async () => {
    await Promise.all(
      Array.from({ length: 225 }, (_, n) =>
        givenKey(used.account, ['contacts:read'], { name: `Key number ${n}` }),
      ),
    );
    const page = await used.open();
    await page.getByText('229 keys', { exact: true }).waitFor();
    const rows = () => page.getByRole('row').count();
    expect(await rows()).toBe(51);
    for (const place of ['51 to 100', '101 to 150', '151 to 200', '201 to 229']) {
      await button(page, 'Next').click();
      await page.getByText(`${place} of 229`).waitFor();
    }
    expect(await rows()).toBe(30);
    expect(await button(page, 'Next').isDisabled()).toBe(true);
    await page.reload();
    await page.getByText('201 to 229 of 229').waitFor();
    await page.goBack();
    await page.getByText('151 to 200 of 229').waitFor();
    await page.getByRole('searchbox').fill('Key number 22');
    await page.getByText('6 of 229 keys').waitFor();
    expect(await rows()).toBe(7);
  });

  test('shows what is asked for, in the order that is asked for, and how many these are', async () => {
    const page = await used.open();
    await page.getByText('4 keys', { exact: true }).waitFor();
    const names = async () => (await page.getByRole('rowheader').getByRole('link').allInnerTexts()).join();
    await page.getByLabel('Sort').selectOption('Name');
    await expect.poll(names).toBe('Check-in app,Newsletter tool,Old reporting script,Warehouse sync');
    await page.getByLabel('Show', { exact: true }).selectOption('Not used for 90 days');
    await expect.poll(names).toBe('Old reporting script');
    await page.getByText('1 of 4 keys').waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('orders:read');
    await expect.poll(names).toBe('Check-in app,Old reporting script,Warehouse sync');
    expect(new URL(page.url()).hash).toBe('#/keys?sort=name&only=orders%3Aread');
    await page.goBack();
    await expect.poll(names).toBe('Old reporting script');
    await page.getByLabel('Show', { exact: true }).selectOption('Expiring within a week');
    await expect.poll(names).toBe('Check-in app');
    await page.getByLabel('Show', { exact: true }).selectOption('All');
    await page.getByLabel('Sort').selectOption('Expiry');
    await expect.poll(names).toMatch(/^Check-in app,Warehouse sync,/);
  });

  test.runIf(isWhole)('names what should be looked at', async () => {
    const page = await used.open();
    await page.getByText('Full access that never expires · Not used for 90 days: safe to revoke?').waitFor();
    await page
      .getByRole('row', { name: /Newsletter tool/ })
      .getByText(/^until /)
      .waitFor();
  });
});

describe('a key', () => {
  test('is rotated with the chosen overlap, and shows when each secret was last used', async () => {
    const page = await used.open();
    await choose(page, 'Newsletter tool', 'Rotate…');
    expect(await page.getByRole('radio', { name: 'In 7 days' }).isChecked()).toBe(true);
    const [older] = (await used.keys('Newsletter tool')).map(({ secrets }) => secrets[1]?.hint);
    await page.getByRole('row', { name: `…${older} in 4 days 12 hours ago` }).waitFor();
    await page.getByRole('radio', { name: 'In 1 hour' }).check();
    await submit(page).click();
    expect(await page.getByRole('textbox', { name: 'API key', exact: true }).inputValue()).toMatch(
      secretShape,
    );
    const [{ secrets }] = (await used.keys('Newsletter tool')) as [ConsoleKey];
    expect(secrets).toHaveLength(3);
    expect(Date.parse(secrets[1]?.expires_at as string) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test.runIf(isWhole)('is changed in what was changed alone, and the focus returns', async () => {
    const page = await used.open();
    await choose(page, 'Check-in app', 'Edit…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Check-in');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await submit(page).click();
    expect((await sent).postDataJSON()).toEqual({ name: 'Check-in' });
    expect((await sent).headers()['if-match']).toBe('"1"');
    await page.getByText('“Check-in” is saved.').waitFor();
    await page.getByRole('link', { name: 'Check-in', exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Actions for Check-in');
    await expect.poll(() => page.getByText('is saved.').count()).toBe(0);
  });

  test.runIf(isWhole)(
    'that somebody else has changed meanwhile is shown as it is now, and what was typed stays',
    async () => {
      const page = await used.open();
      await choose(page, 'Check-in app', 'Edit…');
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
      await changeElsewhere(used.account, 'Check-in app');
      await submit(page).click();
      await page.getByText('It is now “Theirs”, may read orders').waitFor();
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine');
      await button(page, 'Save all the same').click();
      await page.getByText('“Mine” is saved.').waitFor();
      expect(await used.keys('Mine')).toMatchObject([{ scopes: ['orders:read'] }]);
    },
  );

  test('is revoked after it was named, and it is said when that counts', async () => {
    const page = await used.open();
    await choose(page, 'Warehouse sync', 'Revoke…');
    const dialog = page.getByRole('dialog', { name: 'Revoke “Warehouse sync”?' });
    await dialog.getByText(/ are refused within seconds\./).waitFor();
    await dialog.getByText(/^Last used: 1\d minutes ago, 1 request in the last 24 hours/).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'listContacts 1' }).waitFor();
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

test.runIf(isWhole)('a key that nobody uses is revoked without its name, and its id is copied', async () => {
  const page = await used.open();
  const [key] = await used.keys('Old reporting script');
  await page.getByRole('link', { name: 'Old reporting script' }).click();
  await button(page, `Copy ${key?.id}`).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key?.id);
  await button(page, 'Revoke…').click();
  await page.getByRole('dialog').getByText('0 requests in the last 24 hours').waitFor();
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0);
  await submit(page).click();
  await page.getByText('“Old reporting script” is revoked.').waitFor();
});

test.each([
  ['Trial', /It has ended, .*\d{4}/],
  ['Set-up of webhooks', /It has ended, .*\d{4}/],
  ['Check-in app', /it is rotated, or the key ends, .*\d{4}/],
  ['Old reporting script', /it is rotated$/],
])('the page of the key “%s” says until when its secret works', async (name, words) => {
  const page = await used.open();
  const [key] = await used.keys(name);
  await page.goto(`${consoleUrl}#/keys/${key?.id}`);
  const cell = page.locator('table.small').getByRole('cell').nth(1);
  await expect.poll(async () => (await cell.innerText()).trim()).toMatch(words);
  const end = key?.revoked_at ?? key?.expires_at;
  if (end) expect(await cell.locator('time').getAttribute('datetime')).toBe(end);
});

test('a viewer sees all, and nothing that would be refused', async () => {
  const page = await used.open(desk, { role: 'viewer' });
  await page.getByText('read-only').waitFor();
  const names = async () => (await page.getByRole('button').allInnerTexts()).map((text) => text.trim());
  await page.getByRole('link', { name: 'Warehouse sync' }).click();
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  expect(await names()).toEqual(['Sign out', expect.stringMatching(/^Copy/), 'Exact times']);
  await answerCanned(page);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: /shop.example.com/ }).waitFor();
  expect(await names()).toEqual(['Sign out', 'Exact times']);
  await page.getByRole('link', { name: /shop.example.com/ }).click();
  await expect
    .poll(async () => new Set(await names()))
    .toEqual(
      new Set([
        'Sign out',
        expect.stringMatching(/^Copy/),
        'Refresh',
        'order.paid',
        'order.refunded',
        'Exact times',
      ]),
    );
});

test.runIf(isWhole)('all can be done with the keyboard', async () => {
  const page = await used.open();
  await page.getByRole('link', { name: 'Check-in app' }).waitFor();
  await button(page, 'Actions for Check-in app').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Revoke “Check-in app”?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Actions for Check-in app');
});
