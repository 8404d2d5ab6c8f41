import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page, Request, Route } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { apiUrl } from '../http/api.ts';
import { root } from '../stack/stackProcess.ts';

export const desk = { viewport: { width: 1280, height: 860 } };
export const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

const own = new URL(apiUrl).origin;

/** As long as a poll of the tests: what a page shows comes late on a busy machine. */
const waitMs = 15_000;

/** Another site, to a browser. Only a test that answers its requests itself goes there. */
export const outer = 'http://localhost:9';

/** What a test makes happen on purpose: a browser reports every answer of an error, and every lost one. */
const wanted = /^Failed to load resource: (the server responded with a status of|net::ERR_FAILED)/;

/**
 * Opens a page of a browser of its own. It must not break its policy, throw, or ask anybody but its own server, and no request may
 * have a Referer.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = desk): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  watch(page);
  return page;
}

/** Another tab of the same browser. */
export async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  watch(tab, false);
  return tab;
}

function watch(page: Page, closes = true): void {
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !wanted.test(message.text()))
      wrong.push(message.text());
  });
  page.on('request', (request) => {
    const { referer = '' } = request.headers();
    if (referer.startsWith(own)) wrong.push(`Referer: ${referer}`);
    if (![own, outer].includes(new URL(request.url()).origin)) wrong.push(request.url());
  });
  onTestFinished(async () => {
    if (closes) await page.context().close();
    expect(wrong).toEqual([]);
  });
}

/** Opens a link as from elsewhere: one that differs in the fragment alone would not load the page again. */
export async function follow(page: Page, link: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(link);
}

/** The headers as the browser sends them. Those that it adds itself are not known where a request is stopped. */
const headersOf = async (request: Request): Promise<Record<string, string>> => {
  const cookies = await request.frame().page().context().cookies(request.url());
  return {
    ...request.headers(),
    'sec-fetch-site': 'same-origin',
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  };
};

/** Lets a request reach the server, and its answer get lost. */
export const loseAnswer = async (route: Route): Promise<void> => {
  await route.fetch({ headers: await headersOf(route.request()) });
  await route.abort();
};

/** Lets no request reach the server. */
export const loseRequest = (route: Route): Promise<void> => route.abort();

export const answer500 = (route: Route): Promise<void> =>
  route.fulfill({
    status: 500,
    json: { error: 'Internal Server Error', message: 'Something went wrong on our side' },
  });

/** Does something to the next request with a method to addresses that fit, and to no later one. */
export const onceTo = (page: Page, method: string, url: RegExp, handle: (route: Route) => Promise<void>) => {
  let isDone = false;
  return page.route(url, (route) => {
    if (isDone || route.request().method() !== method) return route.fallback();
    isDone = true;
    return handle(route);
  });
};

const axe = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Waits for what fades in: meanwhile its colors are not those that a person reads. What turns for ever is not waited for. */
const untilStill = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`;

/** What axe finds wrong: rules with the elements that break them. It runs in a world of its own, where the page's policy does not forbid it. */
export async function violations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', { expression: axe, contextId });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${untilStill}.then(() => axe.run(document, { runOnly: ${JSON.stringify(rules)} })).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value;
}

/** How much wider than the window the page is. On a phone `innerWidth` would grow with the page. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
