import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { suspendAccount } from '../../../../lib/webhooks/receivers/blockedHosts.ts';
import { follow, loseAnswer, onceTo, outer } from '../../../support/console/openPage.ts';
import {
  button,
  consoleUrl,
  everything,
  fillKey,
  submit,
  useConsole,
} from '../../../support/console/useConsole.ts';
import { isWhole } from '../../../support/run/extent.ts';
import { sampleOf } from '../../../support/run/sample.ts';

// How a person gets into the console, and what is left when the session has ended.

const used = useConsole();

describe('a link', () => {
  test('opens the console once, and its code is nowhere afterwards, before anything is asked for', async () => {
    const page = await used.blank();
    const link = await used.link();
    const code = link.split('#code=')[1] as string;
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) addresses.push(page.url());
    });
    await follow(page, link);
    await button(page, 'Muster GmbH · Ana Ruiz').waitFor();
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of [...addresses, page.url()]) expect(address).not.toContain('code');
    expect(await everything(page)).not.toContain(code);
    await page.goBack();
    await page.goForward();
    await button(page, 'Muster GmbH · Ana Ruiz').waitFor();
    expect(page.url()).not.toContain('code');
  });

  test('is used once, also when a tab is chosen before the session has started', async () => {
    const page = await used.blank();
    const begun = Promise.withResolvers<void>();
    await onceTo(page, 'POST', /api\/session$/, async (route) => {
      await begun.promise;
      await route.continue();
    });
    await follow(page, await used.link());
    await page.getByRole('link', { name: 'Activity' }).click();
    begun.resolve();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/activity');
  });

  test.each(sampleOf(['#code=', '#code=short', `#code=${'x'.repeat(44)}`], { name: 'codes', count: 1 }))(
    'that was cut, as %s, is one that does not work',
    async (hash) => {
      const page = await used.blank();
      await follow(page, consoleUrl + hash);
      await page.getByRole('heading', { name: 'This link has expired or was already used' }).waitFor();
      expect(page.url()).toBe(consoleUrl);
    },
  );
});

describe('a session that ends', () => {
  /** Opens the console and waits for its reads, of which the last begins after a second: one under way would find the end first. */
  async function openedAndRead(): Promise<Page> {
    const page = await used.blank();
    const reads = [/\/api\/keys/, /\/api\/webhook-subscriptions/].map((url) => page.waitForResponse(url));
    await follow(page, await used.link());
    await Promise.all(reads);
    return page;
  }

  test('while somebody types keeps what was typed for the next one', async () => {
    const page = await openedAndRead();
    await fillKey(page, 'Long thought about');
    await used.endSessions();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await used.keys()).toHaveLength(6);
    await follow(page, await used.link());
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    expect(await name.inputValue()).toBe('Long thought about');
    expect(await name.isEnabled()).toBe(true);
    expect(await page.getByText('No response received').count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: /Read contacts/ }).isChecked()).toBe(true);
    await submit(page).click();
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(await used.keys('Long thought about')).toHaveLength(1);
  });

  test.runIf(isWhole)(
    'after a lost answer still repeats that request in the next one, and so makes one key',
    async () => {
      const page = await openedAndRead();
      await fillKey(page, 'Lost and ended');
      await onceTo(page, 'POST', /api\/keys$/, loseAnswer);
      await submit(page).click();
      await button(page, 'Try again').waitFor();
      await used.endSessions();
      await button(page, 'Try again').click();
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      await follow(page, await used.link());
      await button(page, 'Try again').click();
      await page.getByRole('heading', { name: 'The secret of “Lost and ended” was lost' }).waitFor();
      expect(await used.keys('Lost and ended')).toHaveLength(1);
    },
  );

  test('by signing out ends on the server too, with the way back to the product', async () => {
    const page = await used.open();
    await fillKey(page, 'Thrown away');
    await button(page, 'Cancel').click();
    await button(page, 'Muster GmbH · Ana Ruiz').click();
    expect(await page.getByRole('link', { name: 'Back to Demo Shop' }).getAttribute('href')).toBe(
      'https://product.example.com/settings',
    );
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await everything(page)).not.toContain('Thrown away');
  });
});

describe('a suspended account', () => {
  const tabs = (page: Page) => page.getByRole('navigation').getByRole('link').allTextContents();

  /** Looks at all that is there to be seen. */
  const look = async (page: Page): Promise<void> => {
    await page.getByText('The operator of this API has suspended this account.').waitFor();
    expect(await tabs(page)).toEqual(['API keys', 'Activity']);
    await page.getByRole('checkbox', { name: /Show expired and revoked/ }).check();
    await page.getByRole('link', { name: 'Warehouse sync' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByText('signed in').first().waitFor();
    await page.goto(`${consoleUrl}#/webhooks`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  };

  test('shows its keys and its activity, offers nothing else, and asks for nothing that is refused', async () => {
    await suspendAccount(used.account);
    const page = await used.blank();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await follow(page, await used.link());
    await look(page);
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual([]);
    expect(refused).toEqual([]);
  });
});

test('without anything, the page says where it is opened', async () => {
  const page = await used.blank();
  await page.goto(consoleUrl);
  await page.getByText('Open Settings › Integrations in Demo Shop, in this browser').waitFor();
});

test.runIf(isWhole)(
  'in a frame where the browser keeps no session, the page offers to be opened in a window',
  async () => {
    const page = await used.blank();
    // The local stack lets nobody embed the page.
    await page.route(consoleUrl, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, 'x-frame-options': __, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    const link = await used.link();
    await page.route(`${outer}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${link}" title="Integrations"></iframe>`,
      }),
    );
    await page.goto(outer);
    const frame = page.frameLocator('iframe');
    const way = frame.getByRole('link', { name: 'open it in a new window' });
    await way.waitFor();
    expect(await way.getAttribute('target')).toBe('_blank');
  },
);
