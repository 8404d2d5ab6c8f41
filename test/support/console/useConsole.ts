import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { SessionAnswer } from '../../../lib/contract/console/session.ts';
import { openBrowser } from '../stack/browser.ts';
import { type FakeConsole, fakeConsole } from './fakeConsole.ts';
import { givenDeliveries, givenEntries, givenKeys, givenSubscriptions } from './fakeData.ts';
import { follow, openPage } from './openPage.ts';

export interface UsedConsole {
  readonly fake: FakeConsole;
  /** Opens the console with a new link. */
  open(options?: BrowserContextOptions, session?: Partial<SessionAnswer>): Promise<Page>;
  /** A page that has not been anywhere. */
  blank(options?: BrowserContextOptions): Promise<Page>;
}

/** A console and a browser for the tests of a file. Each test begins with the same keys and subscriptions. */
export function useConsole(): UsedConsole {
  // On a busy machine a page takes seconds.
  vi.setConfig({ testTimeout: 120_000 });
  let browser: Browser;
  let fake: FakeConsole;
  beforeAll(async () => {
    [browser, fake] = await Promise.all([openBrowser(), fakeConsole()]);
  });
  afterAll(() => Promise.all([browser.close(), fake.close()]));
  beforeEach(() => {
    fake.keys = givenKeys();
    fake.entries = givenEntries(fake.keys);
    fake.subscriptions = givenSubscriptions();
    fake.deliveries = givenDeliveries(fake.subscriptions[0]?.id as string);
  });
  const blank = (options?: BrowserContextOptions) => openPage(browser, options);
  const open = async (options?: BrowserContextOptions, session?: Partial<SessionAnswer>) => {
    const page = await blank(options);
    await follow(page, fake.link(session));
    await page.getByRole('navigation').waitFor();
    return page;
  };
  return {
    get fake() {
      return fake;
    },
    open,
    blank,
  };
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Opens the menu of a key and chooses an action. */
export async function choose(page: Page, key: string, action: string): Promise<void> {
  await button(page, `Actions for ${key}`).click();
  await button(page, action).filter({ visible: true }).click();
}

/** Fills the form of a new key with one scope. */
export async function fillKey(page: Page, name: string): Promise<void> {
  await button(page, 'Create key').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('checkbox', { name: /Read contacts/ }).check();
}

/** The button that sends the form of the open dialog. */
export const submit = (page: Page) => page.getByRole('dialog').locator('button[type=submit]');

/** All that the page has: its elements, the values of its inputs, what it stores, its address and its history. */
export const everything = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map((field) => field.value),
    { ...localStorage }, { ...sessionStorage }, location.href, history.state, document.referrer, document.title, document.cookie,
  ])`);
