import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventTypes } from '../../lib/contract/eventTypes.ts';
import { operations } from '../../lib/contract/index.ts';
import { apiUrl } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import { givenAccount, givenKey } from '../support/given.ts';
import { root } from '../support/stackProcess.ts';
import { allContacts } from '../support/stored.ts';

// The reference as people see it: in a browser, from the local stack.

// On a busy machine the page takes seconds.
vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

/** Opens the page, which must find nothing wrong and ask nobody but its own server, whatever the test does with it. */
async function open(
  options: BrowserContextOptions = desk,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Page> {
  const context = await browser.newContext(options);
  await prepare(context);
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(apiUrl).origin && protocol !== 'data:') wrong.push(request.url());
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(new URL('/docs', apiUrl).href);
  await page.getByRole('heading', { name: 'Getting started' }).first().waitFor();
  return page;
}

const sidebar = (page: Page) => page.locator('aside, nav').first();

test('every guide, operation and event is in the sidebar, and opens from there', async () => {
  const page = await open();
  const { tags } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  for (const name of ['Introduction', ...tags.slice(1).map((tag: { name: string }) => tag.name)])
    await sidebar(page).getByText(name, { exact: true }).click();
  for (const guide of [
    'Getting started',
    'Authentication',
    'Scopes',
    'Pagination',
    'Errors',
    'Idempotency',
    'Webhooks',
  ])
    await sidebar(page).getByText(guide, { exact: true }).waitFor();
  for (const title of [...operations.map(({ summary }) => summary), ...eventTypes, 'webhook.test']) {
    await sidebar(page).getByText(title, { exact: true }).click();
    await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
  }
});

test('search finds an operation by a word of its path', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Open Search' }).click();
  await page.getByRole('dialog').locator('input').fill('rotate-secret');
  await page.getByRole('option').first().click();
  await page.getByRole('heading', { name: 'Rotate the secret' }).first().waitFor();
  expect(decodeURI(new URL(page.url()).hash)).toContain(
    '/webhook-subscriptions/{subscriptionId}/rotate-secret',
  );
});

test('on a phone nothing is wider than the screen, text is large enough, and the menu leads everywhere', async () => {
  const page = await open(phone);
  const overhang = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(await overhang()).toBeLessThanOrEqual(0);
  expect(
    await page.evaluate("parseFloat(getComputedStyle(document.querySelector('p')).fontSize)"),
  ).toBeGreaterThanOrEqual(14);
  await page.getByRole('button', { name: 'Open Menu' }).click();
  await page.getByText('Create a contact', { exact: true }).filter({ visible: true }).first().click();
  await page.getByRole('heading', { name: 'Create a contact' }).first().waitFor();
  expect(await overhang()).toBeLessThanOrEqual(0);
});

/** In the page: how bright its text is and what is behind it, from 0 to 1, as WCAG 2.2 defines relative luminance. */
const luminances = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const channels = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255);
    const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const text = document.querySelector('p');
  let behind = text;
  while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
  return [luminance(getComputedStyle(text).color), luminance(getComputedStyle(behind).backgroundColor)];
})()`;

describe.each(['light', 'dark'] as const)('whoever prefers %s', (colorScheme) => {
  test('gets it, with text that stands out', async () => {
    const page = await open({ ...desk, colorScheme });
    const [text, ground] = await page.evaluate<[number, number]>(luminances);
    expect(ground > text).toBe(colorScheme === 'light');
    // WCAG 2.2, 1.4.3: 4.5 to 1.
    expect((Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)).toBeGreaterThan(4.5);
  });
});

test('a contact can be created from the page, with a key that is typed into it', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const page = await open();
  await page.locator('input[type=password], input[placeholder]').first().fill(key);
  await sidebar(page).getByText('Create a contact', { exact: true }).click();
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'Create a contact' }) })
    .last();
  await section.getByRole('button', { name: /Test Request/ }).click();
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: /Send/ }).last().click();
  expect((await answer).status()).toBe(201);
  expect(await allContacts(account)).toMatchObject([{ email: 'ada@example.com' }]);
});

test('where the API is elsewhere, the page sends it no requests: browsers would not let it', async () => {
  const page = await open(desk, async (context) => {
    await context.route('**/openapi.json', async (route) => {
      const document = await (await route.fetch()).json();
      await route.fulfill({ json: { ...document, servers: [{ url: 'https://api.example.com/v1' }] } });
    });
  });
  await sidebar(page).getByText('Create a contact', { exact: true }).click();
  await page.getByText('https://api.example.com/v1/contacts').first().waitFor();
  expect(await page.getByRole('button', { name: /Test Request/ }).count()).toBe(0);
});
