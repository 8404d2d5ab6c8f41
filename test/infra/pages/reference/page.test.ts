import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Demo } from '../../../../infra/ops/demo/demo.ts';
import { pageOf } from '../../../../infra/pages/console/failures/reference.ts';
import { bodyExamples } from '../../../../infra/pages/reference/prose/bodies.ts';
import { eventTypes } from '../../../../lib/contract/eventTypes.ts';
import { operations } from '../../../../lib/contract/index.ts';
import { desk, openPage, overhang, phone, violations } from '../../../support/console/openPage.ts';
import { allContacts } from '../../../support/data/stored.ts';
import {
  document,
  type OpenApi,
  type OperationObject,
  resolved,
} from '../../../support/documents/openapi.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { isWhole } from '../../../support/run/extent.ts';
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
  /** Opens the search with the keyboard. */
  async function opened(): Promise<Page> {
    const page = await open();
    await page.keyboard.press('/');
    return page;
  }

  /** The titles of what is found. */
  async function found(page: Page, words: string): Promise<string[]> {
    const input = page.getByRole('combobox', { name: 'Search' });
    await input.fill('qqqqqqqq');
    await page.getByText('Nothing has these words.').waitFor();
    await input.fill(words);
    await page.getByRole('option').first().waitFor();
    return (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0] as string);
  }

  test.each(
    sampleOf(
      [
        ['verify signature', 'webhooks.html#verify-a-delivery'],
        ['filter by tag', 'filter-sort-and-walk-lists.html'],
        ['rotate a secret', 'webhooks.html#rotate-a-secret'],
        ['rotate-secret', 'rotateWebhookSecret.html'],
        ['order.paid', 'events.html#order.paid'],
        ['createContact', 'createContact.html'],
        ['retry', 'webhooks.html#retries-order-and-duplicates'],
        ['pagination', 'pagination.html'],
      ] as const,
      { name: 'searches', count: 3 },
    ),
  )('"%s" and Enter lead to %s', async (words, address) => {
    const page = await opened();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.waitForURL(addressOf(address));
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the arrow keys choose what Enter opens', async () => {
    const page = await opened();
    await page.keyboard.type('contact');
    const second = page.getByRole('option').nth(1);
    await second.waitFor();
    await page.keyboard.press('ArrowDown');
    const address = await second.getAttribute('data-address');
    await page.keyboard.press('Enter');
    await page.waitForURL(addressOf(address as string));
  });

  /** All that the reference shows a place of its own for. */
  const documented = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
    Object.values(item as Record<string, OperationObject>),
  );

  test('finds by a status or a header the operations and events that have it', async () => {
    const titles = new Map<string, Set<string>>();
    for (const { summary, parameters = [], responses } of documented) {
      const headers = parameters.map((one) => resolved(one)).filter((one) => one.in === 'header');
      const answers = Object.values(responses).flatMap((one) => Object.keys(resolved(one).headers ?? {}));
      for (const name of [...Object.keys(responses), ...headers.map((one) => one.name), ...answers])
        titles.set(name, (titles.get(name) ?? new Set()).add(summary));
    }
    expect(titles.size).toBeGreaterThan(20);
    const page = await opened();
    for (const [name, wanted] of sampleOf([...titles], { name: 'headers', count: 8 })) {
      const shown = await found(page, name);
      // It shows 25 at most, so of many it can be any.
      if (wanted.size > 20)
        expect(
          shown.filter((title) => wanted.has(title)),
          name,
        ).not.toEqual([]);
      else expect(shown, name).toEqual(expect.arrayContaining([...wanted]));
    }
  });

  test('finds every field by its name', async () => {
    const fields = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    );
    const page = await opened();
    for (const name of sampleOf([...new Set(fields)], { name: 'fields', count: 15 }))
      expect(await found(page, name), name).not.toEqual([]);
  });

  test('shows nothing of the words by which a page is found', async () => {
    const page = await opened();
    await found(page, 'custom_fields');
    for (const text of await page.getByRole('option').allInnerTexts()) expect(text.length).toBeLessThan(120);
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

test('the search is accessible', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('webhook');
  await page.getByRole('option').first().waitFor();
  expect(await violations(page)).toEqual([]);
});

test('on a phone the menu leads everywhere', async () => {
  const page = await open('', phone);
  await page.getByRole('link', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Create a contact' }).filter({ visible: true }).first().click();
  await page.getByRole('heading', { name: 'Create a contact' }).waitFor();
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
});

test('without scripts, a person chooses a language, opens the fields of an object, and goes to another page', async () => {
  const page = await open('createContact.html', { ...desk, javaScriptEnabled: false });
  expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
  await page.getByText('Python', { exact: true }).click();
  expect(await page.locator('.program:visible').innerText()).toContain('urllib.request.Request(');
  await page.getByText('Fields of AddressInput').click();
  await page.getByText('postal_code', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Pagination' }).click();
  await page.getByRole('heading', { name: 'Pagination', level: 1 }).waitFor();
});

test('the chosen language is that of every page, and a program can be copied', async () => {
  const page = await open('createContact.html');
  await page.getByText('Go', { exact: true }).click();
  await page.goto(addressOf('listOrders.html'));
  const program = page.locator('.program:visible');
  expect(await program.innerText()).toContain('package main');
  await program.hover();
  await program.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('package main');
});

/** Opens the form that sends a request of an operation, with a key of the demo. */
async function tried(name: string): Promise<Page> {
  const page = await open(name);
  await page.getByText('Try it').click();
  await page.getByLabel('X-Api-Key').fill(demo().keys.full as string);
  return page;
}

test('a contact can be created from its page, with a key of the demo that is typed in', async () => {
  const page = await tried('createContact.html');
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText(/^201 in \d+ ms$/).waitFor();
  const { external_id } = bodyExamples.createContact;
  expect(await allContacts(demo().account)).toContainEqual(expect.objectContaining({ external_id }));
});

/** What is answered when the page's requests for single records are sent as they stand. */
async function triedExamples(): Promise<[path: string, status: number][]> {
  const json = async (name: string) => (await fetch(addressOf(name))).json();
  const [served, ids] = (await Promise.all([json('openapi.json'), json('ids.json')])) as [
    OpenApi,
    Record<string, string>,
  ];
  const { parameters } = served.components;
  // No list has a redelivery: only its author knows its id.
  const paths = Object.keys(served.paths).filter(
    (path) => served.paths[path]?.get && path.includes('{') && !path.includes('{redeliveryId}'),
  );
  return Promise.all(
    paths.map(async (path) => {
      const example = (name: string) => parameters[name]?.example as string;
      const place = path.replace(/\{(\w+)\}/g, (_, name) => ids[example(name)] ?? example(name));
      const { status } = await fetch(apiUrl + place, { headers: { 'X-Api-Key': demo().keys.full } });
      return [path, status];
    }),
  );
}

test('the records of the examples are there, so that requests can be sent as they stand', async () => {
  // The delivery of the demo comes a moment after its event.
  await expect.poll(async () => (await triedExamples()).filter(([, status]) => status !== 200)).toEqual([]);
  expect((await triedExamples()).length).toBeGreaterThan(4);
  const page = await openPage(browser);
  const sent = Promise.withResolvers<void>();
  await page.route('**/ids.json', async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.goto(addressOf('getContact.html'));
  await page.getByText('Try it').click();
  await page.getByLabel('X-Api-Key').fill(demo().keys.full);
  // The id of the example is none of this account, so the request waits for one that is.
  await page.getByRole('button', { name: 'Send GET' }).click();
  sent.resolve();
  await page.getByText(/^200 in \d+ ms$/).waitFor();
  expect(await violations(page)).toEqual([]);
});

test.runIf(isWhole)('a list is asked for without filters, until somebody fills them in', async () => {
  const page = await tried('listContacts.html');
  const answer = page.waitForResponse((response) => response.url().includes('/v1/contacts?'));
  await page.getByRole('button', { name: 'Send GET' }).click();
  expect(new URL((await answer).url()).search).toBe('?limit=25&offset=0&sort=created_at');
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

test('nothing is loaded but the page, its style and its script, until somebody searches', async () => {
  const page = await openPage(browser);
  const loaded: string[] = [];
  page.on('request', (request) =>
    loaded.push(new URL(request.url()).pathname.replace(/\.[0-9a-f]{8}\./, '.')),
  );
  await page.goto(addressOf('listOrders.html'), { waitUntil: 'load' });
  expect(loaded.toSorted()).toEqual(
    ['app.js', 'icon.svg', 'listOrders.html', 'send.js', 'style.css'].map((name) => `/docs/${name}`),
  );
});
