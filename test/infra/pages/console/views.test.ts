import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { anotherTab, follow } from '../../../support/console/openPage.ts';
import { button, consoleUrl, fillKey, useConsole } from '../../../support/console/useConsole.ts';

// What the console shows is in its address, what it has shown is there at once, and what it does not know it does not say.

const used = useConsole();

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

const hash = (page: Page): string => new URL(page.url()).hash;

/** Opens the address of a page in another tab, as somebody does who got it. */
async function sendTo(page: Page): Promise<Page> {
  const other = await anotherTab(page);
  await other.goto(page.url());
  return other;
}

test('filters are in the address: reload, Back and somebody who gets it see the same', async () => {
  const page = await used.open();
  await tab(page, 'Usage');
  await page.getByRole('radio', { name: '400 days' }).check();
  await page.getByRole('radio', { name: 'By key' }).check();
  await page.getByText('Days begin at midnight UTC.').waitFor();
  expect(hash(page)).toBe('#/usage?range=400d&by=key');
  await page.reload();
  await page.getByText('Days begin at midnight UTC.').waitFor();
  expect(await page.getByRole('radio', { name: 'By key' }).isChecked()).toBe(true);
  const other = await sendTo(page);
  await other.getByRole('radio', { name: '400 days' }).waitFor();
  expect(await other.getByRole('radio', { name: '400 days' }).isChecked()).toBe(true);
  await tab(page, 'Failed requests');
  await page.getByText('No request has failed in the last 14 days.').waitFor();
  await page.goBack();
  await page.getByText('Days begin at midnight UTC.').waitFor();
  expect(hash(page)).toBe('#/usage?range=400d&by=key');
});

test('a dialog is in the address: reload shows it again, Back closes it, and then nothing of it is left', async () => {
  const page = await used.open();
  await fillKey(page, 'Half typed');
  expect(hash(page)).toBe('#/keys?dialog=key');
  await page.reload();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  expect(await name.inputValue()).toBe('Half typed');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button(page, 'Create key').click();
  expect(await name.inputValue()).toBe('');
  await button(page, 'Cancel').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => hash(page)).not.toContain('dialog');
});

test('what is wanted without a session is shown with the next one, in the same tab', async () => {
  const page = await used.blank();
  const [key] = await used.keys('Check-in app');
  await page.goto(`${consoleUrl}#/keys/${key?.id}`);
  await page.getByRole('heading', { name: 'Sign in to see this page' }).waitFor();
  await follow(page, await used.link());
  await page.getByRole('heading', { level: 1, name: 'Check-in app' }).waitFor();
  expect(hash(page)).toBe(`#/keys/${key?.id}`);
});
