import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { anchorOf } from '../../infra/console/page/failures/reference.ts';
import type { Demo } from '../../infra/ops/demo/demo.ts';
import { bodyExamples } from '../../infra/reference/prose/bodies.ts';
import { eventTypes } from '../../lib/contract/eventTypes.ts';
import { operations } from '../../lib/contract/index.ts';
import { allContacts } from '../support/data/stored.ts';
import { document, type OpenApi, type OperationObject, resolved } from '../support/documents/openapi.ts';
import { apiUrl } from '../support/http/api.ts';
import { isWhole } from '../support/run/extent.ts';
import { sampleOf } from '../support/run/sample.ts';
import { browserOfWorker } from '../support/stack/browser.ts';
import { root } from '../support/stack/stackProcess.ts';

// The reference as people see it: in a browser, from the local stack.

let browser: Browser;
beforeAll(async () => {
  browser = await browserOfWorker();
});

/** The account of a started stack. */
const demo = () =>
  JSON.parse(readFileSync(join(inject('dataFolder') as string, 'demo.json'), 'utf8')) as Demo;

const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

/** A window, in which nothing may be found wrong and nobody be asked but the own server, whatever the test does with it. */
async function blank(
  options: BrowserContextOptions = desk,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Page> {
  const context = await browser.newContext(options);
  await prepare(context);
  context.setDefaultTimeout(300_000);
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
  return page;
}

/** Opens the page in a window. */
async function open(...options: Parameters<typeof blank>): Promise<Page> {
  const page = await blank(...options);
  await page.goto(new URL('/docs', apiUrl).href);
  await page.getByRole('heading', { name: 'Getting started' }).first().waitFor();
  return page;
}

/** All that the page shows a place of its own for. */
const documented = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
  Object.values(item as Record<string, OperationObject>),
);

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
    'Filter, sort and walk lists',
    'Errors',
    'Idempotency',
    'Webhooks',
  ])
    await sidebar(page).getByText(guide, { exact: true }).waitFor();
  const titles = [...operations.map(({ summary }) => summary), ...eventTypes, 'webhook.test'];
  for (const title of sampleOf(titles, { name: 'sidebar', count: 12 })) {
    await sidebar(page).getByText(title, { exact: true }).click();
    await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
  }
});

const links: [request: Parameters<typeof anchorOf>[0], field: string | null][] = [
  [{ method: 'POST', path: '/contacts' }, 'email'],
  [{ method: 'POST', path: '/contacts/batch' }, 'contacts[3].email'],
  [{ method: 'GET', path: '/webhook-subscriptions/{subscriptionId}/deliveries' }, 'limit'],
  [{ method: 'PATCH', path: '/contacts/{contactId}' }, 'contactId'],
  [{ method: 'GET', path: '/me' }, null],
];

test.each(sampleOf(links, { name: 'links', count: 1 }))(
  'the link of the console for a request %o leads to its %s',
  async (request, field) => {
    const anchor = anchorOf(request, field).slice(1);
    const page = await blank();
    await page.goto(new URL(`/docs/#${anchor}`, apiUrl).href);
    // The ids begin with a name for the document. A place can be a fraction of a pixel above the window.
    const place = page.locator(`[id$=${JSON.stringify(anchor)}]`);
    await expect
      .poll(async () => {
        const { y = -1 } = (await place.boundingBox()) ?? {};
        return y > -1 && y < desk.viewport.height;
      })
      .toBe(true);
  },
);

test.runIf(isWhole)('search finds an operation by a word of its path', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Open Search' }).click();
  await page.getByRole('dialog').locator('input').fill('rotate-secret');
  await page.getByRole('option').first().click();
  await page.getByRole('heading', { name: 'Rotate the secret' }).first().waitFor();
  expect(decodeURI(new URL(page.url()).hash)).toContain(
    '/webhook-subscriptions/{subscriptionId}/rotate-secret',
  );
});

describe('search', () => {
  async function opened(): Promise<Page> {
    const page = await open();
    await page.getByRole('button', { name: 'Open Search' }).click();
    return page;
  }

  /** The titles of what is found. */
  async function found(page: Page, words: string): Promise<string[]> {
    const input = page.getByRole('dialog').locator('input');
    await input.fill('qqqqqqqq');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await input.fill(words);
    await page.getByRole('option').first().waitFor();
    const options = await page.getByRole('option').allInnerTexts();
    return options.map((text) => text.split('\n')[2] as string);
  }

  test.runIf(isWhole)('finds by a status or a header the operations and events that have it', async () => {
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
      // It shows 25 at most, schemas with similar words among them, so of many it can be any.
      if (wanted.size > 8)
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

/**
 * In the page: what it shows in colours that are less than 4.5 to 1 apart, as WCAG 2.2, 1.4.3 measures it; and how bright
 * its ground is, from 0 to 1.
 */
const faintTexts = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
  };
  const luminance = ([r, g, b]) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const over = (top, below) => top.slice(0, 3).map((value, i) => value * top[3] + below[i] * (1 - top[3]));
  const groundOf = (element) => {
    const own = rgba(getComputedStyle(element).backgroundColor);
    if (own[3] === 1 || !element.parentElement) return own;
    return [...over(own, groundOf(element.parentElement)), 1];
  };
  const faint = [];
  const texts = document.createTreeWalker(document.getElementById('reference'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (!texts.currentNode.data.trim() || width < 2 || height < 2 || style.visibility !== 'visible') continue;
    const ground = groundOf(element);
    const [dark, bright] = [luminance(over(rgba(style.color), ground)), luminance(ground)].sort((a, b) => a - b);
    const contrast = (bright + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faint.push(texts.currentNode.data.trim().slice(0, 40) + ' ' + contrast.toFixed(2));
  }
  return { faint: [...new Set(faint)], ground: luminance(groundOf(document.querySelector('#reference p'))) };
})()`;

test.each(sampleOf(['light', 'dark'] as const, { name: 'preferences', count: 1 }))(
  'the page follows the preference for %s, with readable contrast',
  async (colorScheme) => {
    const page = await open({ ...desk, colorScheme });
    for (const title of ['Getting started', 'Change a contact']) {
      if (title !== 'Getting started') await sidebar(page).getByText(title, { exact: true }).click();
      await page.getByRole('heading', { name: title, exact: true }).first().waitFor();
      const { faint, ground } = await page.evaluate<{ faint: string[]; ground: number }>(faintTexts);
      expect(faint).toEqual([]);
      expect(ground > 0.5).toBe(colorScheme === 'light');
    }
  },
);

test('all fields of a contact can be seen, and one be created, with a key of the demo that is typed in', async () => {
  const page = await open();
  await page
    .locator('input[type=password], input[placeholder]')
    .first()
    .fill(demo().keys.full as string);
  await sidebar(page).getByText('Create a contact', { exact: true }).click();
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'Create a contact' }) })
    .last();
  await section.getByRole('button', { name: 'Show the other fields' }).click();
  await section.getByText('custom_fields', { exact: true }).waitFor();
  await section.getByRole('button', { name: /Test Request/ }).click();
  const answer = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: /Send/ }).last().click();
  expect((await answer).status()).toBe(201);
  const { external_id } = bodyExamples.createContact;
  expect(await allContacts(demo().account)).toContainEqual(expect.objectContaining({ external_id }));
});

/** What is answered when the page's requests for single records are sent as they stand. */
async function triedExamples(): Promise<[path: string, status: number][]> {
  const served = (await (await fetch(new URL('/docs/openapi.json', apiUrl))).json()) as OpenApi;
  const { parameters } = served.components;
  // No list has a redelivery: only its author knows its id.
  const paths = Object.keys(served.paths).filter(
    (path) => served.paths[path]?.get && path.includes('{') && !path.includes('{redeliveryId}'),
  );
  return Promise.all(
    paths.map(async (path) => {
      const tried = path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]?.example as string);
      const { status } = await fetch(apiUrl + tried, { headers: { 'X-Api-Key': demo().keys.full } });
      return [path, status];
    }),
  );
}

test('the records of the examples are there, so that requests can be sent as they stand', async () => {
  // The delivery of the demo comes a moment after its event.
  await expect.poll(async () => (await triedExamples()).filter(([, status]) => status !== 200)).toEqual([]);
  expect((await triedExamples()).length).toBeGreaterThan(4);
  const page = await open();
  await page.locator('input[type=password], input[placeholder]').first().fill(demo().keys.full);
  await sidebar(page).getByText('Read a contact', { exact: true }).click();
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'Read a contact' }) })
    .last();
  await section.getByRole('button', { name: /Test Request/ }).click();
  const answer = page.waitForResponse((response) => response.url().includes('/v1/contacts/'));
  await page.getByRole('button', { name: /Send/ }).last().click();
  expect((await answer).status()).toBe(200);
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

test.runIf(isWhole)('a list is asked for without filters, until somebody chooses them', async () => {
  const page = await open();
  await page.locator('input[type=password], input[placeholder]').first().fill(demo().keys.full);
  await sidebar(page).getByText('List contacts', { exact: true }).click();
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'List contacts' }) })
    .last();
  await section.getByRole('button', { name: /Test Request/ }).click();
  const answer = page.waitForResponse((response) => response.url().includes('/v1/contacts?'));
  await page.getByRole('button', { name: /Send/ }).last().click();
  expect(new URL((await answer).url()).search).toBe('?limit=25&offset=0&sort=created_at');
});
