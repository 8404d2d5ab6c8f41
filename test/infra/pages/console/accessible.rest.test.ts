import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { suspendAccount } from '../../../../lib/webhooks/receivers/operator.ts';
import { desk, follow, overhang, phone, violations } from '../../../support/console/openPage.ts';
import { button, choose, fillKey, submit, useConsole } from '../../../support/console/useConsole.ts';
import { givenAccount } from '../../../support/data/given.ts';
import { answerFailures, answerUsage, answerWebhooks, openNumbers } from './canned.ts';

// axe finds nothing in any state of the page, and nothing is wider than the window.

const used = useConsole();

const looks: [string, BrowserContextOptions][] = [
  ['light', desk],
  ['dark', { ...desk, colorScheme: 'dark' }],
  ['forced colours', { ...desk, forcedColors: 'active' }],
  ['tablet', { viewport: { width: 820, height: 1000 } }],
  ['phone', phone],
  // A window of 1280 pixels, in which all is twice as large.
  ['dark at 200 %', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
];

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

/** What leads from one state to the next. */
const walk: [state: string, way: (page: Page) => Promise<unknown>][] = [
  ['the list', (page) => page.getByRole('link', { name: 'Warehouse sync' }).waitFor()],
  ['ended keys', (page) => page.getByRole('checkbox', { name: /expired and revoked/ }).check()],
  ['the menu', (page) => button(page, 'Actions for Newsletter tool').click()],
  ['rotate', (page) => button(page, 'Rotate…').filter({ visible: true }).click()],
  [
    'edit',
    async (page) => {
      await button(page, 'Cancel').click();
      await choose(page, 'Check-in app', 'Edit…');
    },
  ],
  [
    'revoke',
    async (page) => {
      await button(page, 'Cancel').click();
      await choose(page, 'Newsletter tool', 'Revoke…');
    },
  ],
  [
    'create, with mistakes',
    async (page) => {
      await button(page, 'Cancel').click();
      await button(page, 'Create key').click();
      await submit(page).click();
      await page.getByText('Say what the key is for.').waitFor();
    },
  ],
  [
    'secret',
    async (page) => {
      await button(page, 'Cancel').click();
      await fillKey(page, 'Shop import');
      await submit(page).click();
      await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
      await button(page, 'Copy API key').click();
    },
  ],
  [
    'details',
    async (page) => {
      await button(page, 'Done').click();
      await page.getByRole('link', { name: 'Newsletter tool' }).click();
      await page.getByText('1,204 more failed requests').waitFor();
    },
  ],
  [
    'usage',
    async (page) => {
      await tab(page, 'Usage');
      await page.getByRole('radio', { name: 'By operation' }).check();
      await openNumbers(page);
      await page.getByRole('slider').focus();
    },
  ],
  [
    'failed requests',
    async (page) => {
      await tab(page, 'Failed requests');
      await page.getByText('1,204 more failed requests').waitFor();
    },
  ],
  [
    'one failed request',
    async (page) => {
      await page.getByRole('link', { name: /^1,870\+ requests/ }).click();
      await button(page, 'POST /contacts').click();
      await page.locator('tr.details').waitFor();
    },
  ],
  [
    'activity',
    async (page) => {
      await tab(page, 'Activity');
      // The first is of the sentence above the entries.
      await page.getByText('signed in').nth(1).waitFor();
    },
  ],
  [
    'webhooks',
    async (page) => {
      await tab(page, 'Webhooks');
      await page.getByText('retrying: 7 failures in a row').waitFor();
    },
  ],
  [
    'create a subscription, with mistakes',
    async (page) => {
      await button(page, 'Create subscription').click();
      await page.getByText('Orders', { exact: true }).click();
      await page.getByLabel('Example of order.paid').click();
      await page.getByText('"payment_status": "paid"').waitFor();
      await submit(page).click();
      await page.getByText('Enter the whole address').waitFor();
    },
  ],
  [
    'deliveries',
    async (page) => {
      await button(page, 'Cancel').click();
      await page.getByRole('link', { name: /shop.example.com/ }).click();
      await page.getByRole('button', { name: 'order.refunded', exact: true }).first().click();
      await page.getByText('What was sent in order.refunded').first().click();
      await page.getByText('"type": "order.refunded"').waitFor();
      await button(page, 'Send a test event').click();
      await page.getByText('thanks').waitFor();
      await button(page, 'Redeliver many…').click();
      await submit(page).click();
      await page.getByText('1,200 of 5,000 sent again, 34 left out').waitFor();
      // Its progress is not read any more, which would find the session ended.
      await button(page, 'Close').waitFor();
    },
  ],
  [
    'a suspended subscription',
    async (page) => {
      await tab(page, 'Webhooks');
      await page.getByRole('link', { name: /down.example.com/ }).click();
      await page.getByText('This receiver was down for three days.').waitFor();
      await page.goBack();
      await page.goBack();
      await button(page, 'Delete…').waitFor();
    },
  ],
  [
    'delete, with a mistake',
    async (page) => {
      await button(page, 'Delete…').click();
      await submit(page).click();
    },
  ],
  [
    'session ended',
    async (page) => {
      await page.getByLabel(/^Type/).fill('shop.example.com');
      await page.unrouteAll();
      await used.endSessions();
      const ended = page.getByRole('heading', { name: 'Your session has ended' });
      // What the page reads meanwhile may find it out first, and takes the dialog away.
      await Promise.any([submit(page).click(), ended.waitFor()]);
      await ended.waitFor();
    },
  ],
  [
    'a link that was used',
    async (page) => {
      const account = givenAccount();
      await suspendAccount(account);
      const link = await used.link({ role: 'viewer', account });
      await follow(page, link);
      await page.getByRole('navigation').waitFor();
      await follow(page, link);
      await button(page, 'Go on as Ana Ruiz').waitFor();
    },
  ],
  [
    'nothing there, for a viewer of a suspended account',
    async (page) => {
      await button(page, 'Go on as Ana Ruiz').click();
      await tab(page, 'API keys');
      await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    },
  ],
];

describe.each(looks)('%s', (_, options) => {
  test('every state is accessible, and fits the window', async () => {
    const page = await used.open(options);
    await answerWebhooks(page);
    const keys = (await used.keys()).map(({ id }) => id);
    await answerUsage(page, keys);
    await answerFailures(page, keys[0] as string);
    const found: Record<string, unknown> = {};
    for (const [state, way] of walk) {
      await way(page);
      const wrong = await violations(page);
      if (wrong.length > 0) found[state] = wrong;
      expect(await overhang(page), state).toBeLessThanOrEqual(0);
    }
    expect(found).toEqual({});
  });
});

test('targets on a phone are large enough for a finger, and text for the eye', async () => {
  const page = await used.open(phone);
  await page.getByRole('link', { name: 'Warehouse sync' }).waitFor();
  // WCAG 2.2, 2.5.8: 24 pixels, unless it is in a sentence.
  expect(
    await page.evaluate(`[...document.querySelectorAll('button, select, input')]
      .filter((one) => one.checkVisibility() && !one.closest('label'))
      .filter((one) => one.getBoundingClientRect().height < 24)
      .map((one) => one.outerHTML)`),
  ).toEqual([]);
  expect(
    await page.evaluate("parseFloat(getComputedStyle(document.querySelector('td')).fontSize)"),
  ).toBeGreaterThanOrEqual(14);
});
