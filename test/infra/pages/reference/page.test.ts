import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Demo } from '../../../../infra/ops/demo/demo.ts';
import { pageOf } from '../../../../infra/pages/console/failures/referencePage.ts';
import { bodyExamples } from '../../../../infra/pages/reference/prose/bodies.ts';
import { eventTypes } from '../../../../lib/contract/eventTypes.ts';
import { operations } from '../../../../lib/contract/index.ts';
import {
  desk,
  loseRequest,
  onceTo,
  openPage,
  overhang,
  phone,
  violations,
} from '../../../support/console/openPage.ts';
import { allContacts } from '../../../support/data/stored.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { sampleOf } from '../../../support/run/sample.ts';
import { browserOfWorker } from '../../../support/stack/browser.ts';

// The reference as people see it: in a browser, from the local stack.

let browser: Browser;
beforeAll(async () => {
  browser = await browserOfWorker();
});

/** The account of a started stack. */
const demo = () =>
  JSON.parse(readFileSync(join(inject('dataFolder') as string, 'demo.json'), 'utf8')) as Demo;

const addressOf = (name: string): string => new URL(`/docs/${name}`, apiUrl).href;

/** Opens a page of the reference. */
async function open(name = '', options: BrowserContextOptions = desk): Promise<Page> {
  const page = await openPage(browser, options);
  await page.goto(addressOf(name));
  await page.locator('h1').waitFor();
  return page;
}

test('every guide, operation and event is in the navigation, and opens from there', async () => {
  const page = await open();
  const nav = page.getByRole('navigation', { name: 'Reference' });
  const guides = ['Getting started', 'Pagination', 'Errors', 'Idempotency', 'Webhooks'];
  const titles = [...guides, ...operations.map(({ summary }) => summary), ...eventTypes, 'webhook.test'];
  for (const title of sampleOf(titles, { name: 'navigation', count: 12 })) {
    const link = nav.getByRole('link').filter({ has: page.getByText(title, { exact: true }) });
    expect(await link.count(), title).toBe(1);
    await link.click();
    await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
  }
});

const links: [request: Parameters<typeof pageOf>[0], field: string | null][] = [
  [{ operation: 'createContact', method: 'POST', path: '/contacts' }, 'email'],
  [{ operation: 'batchUpsertContacts', method: 'POST', path: '/contacts/batch' }, 'contacts[3].email'],
  [{ operation: 'listContacts', method: 'GET', path: '/contacts' }, 'updated_since'],
  [{ operation: 'updateContact', method: 'PATCH', path: '/contacts/{contactId}' }, 'contactId'],
];

test.each(sampleOf(links, { name: 'links', count: 2 }))(
  'the link of the console for a request %o leads to its %s',
  async (request, field) => {
    const page = await open(pageOf(request, field));
    const place = page.locator(':target');
    const { y = -1 } = (await place.boundingBox()) ?? {};
    expect(y > -1 && y < desk.viewport.height).toBe(true);
  },
);

describe('search', () => {
  test.each(
    sampleOf(
      [
        ['verify signature', 'webhooks.html#verify-a-delivery'],
        ['filter by tag', 'filter-sort-and-page-through-lists.html'],
        ['rotate a secret', 'webhooks.html#rotate-a-secret'],
        ['pagnation', 'pagination.html'],
        ['custom_fields', 'createContact.html#body.custom_fields'],
        ['order.paid', 'events.html#order.paid'],
        ['createContact', 'createContact.html'],
        ['retry', 'webhooks.html#retries'],
        ['pagination', 'pagination.html'],
      ] as const,
      { name: 'searches', count: 3 },
    ),
  )('"%s" and Enter lead to %s', async (words, address) => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.waitForURL(addressOf(address));
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

const places = ['index.html', 'webhooks.html', 'createContact.html', 'listOrders.html', 'events.html'];

test.each(sampleOf(places, { name: 'accessible', count: 2 }))(
  '%s is accessible, light and dark, on a desk, on a phone and at 200 %, and nothing is wider than the window',
  async (name) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const size of [desk, phone, { viewport: { width: 640, height: 430 } }]) {
        const page = await open(name, { ...size, colorScheme });
        for (const summary of await page.locator('summary').all()) await summary.click();
        expect(await violations(page)).toEqual([]);
        expect(await overhang(page)).toBeLessThanOrEqual(0);
        await page.context().close();
      }
  },
);

test('without scripts, a person chooses a language, opens the fields of an object, and goes to another page', async () => {
  const page = await open('createContact.html', { ...desk, javaScriptEnabled: false });
  expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
  await page.getByText('Python', { exact: true }).click();
  expect(await page.locator('.program:visible').first().innerText()).toContain('urllib.request.Request(');
  await page.getByText('Fields of AddressInput').click();
  await page.getByText('postal_code', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Pagination' }).click();
  await page.getByRole('heading', { name: 'Pagination', level: 1 }).waitFor();
});

test.each([desk, phone])('a page is copied as Markdown (%o)', async (size) => {
  const page = await open('getting-started.html', size);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(copied).toMatch(/^# Getting started\n\nMake your first request/);
});

test.each([desk, phone])(
  'the language of programs that is chosen in a guide is that of every page (%o)',
  async (size) => {
    const page = await open('webhooks.html', size);
    await page.getByText('Python', { exact: true }).last().click();
    await page.getByText('def is_genuine(secret, headers, body):').waitFor();
    await page.goto(addressOf('createContact.html'));
    await page.getByText('urllib.request.Request(').waitFor();
  },
);

test('an address of no page leads on, and "Create a key" to the console', async () => {
  const page = await openPage(browser);
  const answer = await page.goto(addressOf('gone.html'));
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Getting started' }).first().click();
  const link = page.getByRole('link', { name: 'Settings › Integrations' });
  expect(await link.getAttribute('href')).toBe(new URL('/console/#/keys?dialog=key', apiUrl).href);
});

/** Opens the form that sends a request of an operation, with a key of the demo. */
async function tried(name: string): Promise<Page> {
  const page = await open(name);
  await page.locator('.program').first().waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByLabel('X-Api-Key').fill(demo().keys.full as string);
  return page;
}

test('a contact can be created from its page, with a key of the demo that is typed in', async () => {
  const page = await tried('createContact.html');
  await onceTo(page, 'POST', /contacts$/, loseRequest);
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText('No response received.').waitFor();
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText(/^201 in \d+ ms$/).waitFor();
  const { external_id } = bodyExamples.createContact;
  expect(await allContacts(demo().account)).toContainEqual(expect.objectContaining({ external_id }));
});

test('where the API is elsewhere, the page sends it no requests: browsers would not let it', async () => {
  const page = await openPage(browser);
  await page.route('**/createContact.html', async (route) => {
    const html = await (await route.fetch()).text();
    const body = html.replace(/data-api="[^"]+"/, 'data-api="https://api.example.com/v1"');
    expect(body).not.toBe(html);
    await route.fulfill({ body, contentType: 'text/html' });
  });
  const loaded = page.waitForResponse(/\/send\./);
  await page.goto(addressOf('createContact.html'));
  await loaded;
  await page.getByRole('button', { name: 'Search' }).waitFor();
  expect(await page.getByText('Try it').count()).toBe(0);
});
