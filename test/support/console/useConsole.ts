import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import { createLink } from '../../../lib/console/consoleLinks.ts';
import { endSessions } from '../../../lib/console/sessions.ts';
import type { ConsoleKey } from '../../../lib/contract/console/consoleKeys.ts';
import type { Role } from '../../../lib/contract/console/consoleOperation.ts';
import type { Actor } from '../../../lib/contract/console/consoleSession.ts';
import type { WebhookSubscription } from '../../../lib/contract/webhookSubscriptions.ts';
import { listSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { givenAccount, inAnHour } from '../data/given.ts';
import { apiUrl } from '../http/api.ts';
import { isWhole } from '../run/extent.ts';
import { browserOfWorker } from '../stack/browser.ts';
import { ana, givenKeys, shownKeysOf } from './givenConsole.ts';
import { desk, follow, openPage, phone } from './openPage.ts';

/** Where the local stack serves the page. */
export const consoleUrl = new URL('/console/', apiUrl).href;

/** The walks are at a desk under `npm test`, and on a phone under `npm run test:rest`. */
const device = isWhole ? phone : desk;

interface LinkOptions {
  role?: Role;
  actor?: Actor;
  account?: string;
  account_name?: string;
}

export interface UsedConsole {
  readonly account: string;
  /** A new link. */
  link(options?: LinkOptions): Promise<string>;
  /** Opens the console with a new link. */
  open(options?: BrowserContextOptions, link?: LinkOptions): Promise<Page>;
  /** A page that has not been anywhere. */
  blank(options?: BrowserContextOptions): Promise<Page>;
  endSessions(): Promise<unknown>;
  /** The keys, newest first; with a name only those of this name. */
  keys(name?: string): Promise<ConsoleKey[]>;
  subscriptions(): Promise<WebhookSubscription[]>;
}

/** The console of the local stack and a browser, for the tests of a file. Each test has an account of its own with keys in all states. */
export function useConsole(): UsedConsole {
  let browser: Browser;
  let account: string;
  beforeAll(async () => {
    browser = await browserOfWorker();
  });
  beforeEach(async () => {
    account = givenAccount();
    await givenKeys(account);
  });
  const link = async (options: LinkOptions = {}): Promise<string> => {
    const { url } = await createLink(
      {
        account,
        account_name: 'Muster GmbH',
        actor: ana,
        role: 'admin',
        return_url: 'https://product.example.com/settings',
        ...options,
      },
      undefined,
    );
    return consoleUrl + new URL(url).hash;
  };
  const blank = (options: BrowserContextOptions = device) => openPage(browser, options);
  const open = async (options?: BrowserContextOptions, linked?: LinkOptions) => {
    const page = await blank(options);
    await follow(page, await link(linked));
    await page.getByRole('navigation').waitFor();
    return page;
  };
  return {
    get account() {
      return account;
    },
    link,
    open,
    blank,
    endSessions: () => endSessions({ account }, {}, inAnHour()),
    keys: async (name) =>
      (await shownKeysOf(account)).filter((key) => name === undefined || key.name === name),
    subscriptions: async () =>
      (await listSubscriptions(account, { limit: 100, offset: 0 })).data as WebhookSubscription[],
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
