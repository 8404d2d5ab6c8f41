import { describe, expect, test } from 'vitest';
import {
  anotherTab,
  answer500,
  follow,
  loseAnswer,
  loseRequest,
  onceTo,
} from '../support/console/openPage.ts';
import { button, everything, fillKey, submit, useConsole } from '../support/console/useConsole.ts';

// How a person gets into the console, and what is left when the session has ended.

const used = useConsole();

describe('a link', () => {
  test('opens the console once, and its code is nowhere afterwards, before anything is asked for', async () => {
    const page = await used.blank();
    const link = used.fake.link();
    const code = link.split('#code=')[1] as string;
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) addresses.push(page.url());
    });
    await follow(page, link);
    await page.getByText('Muster GmbH · Ana Ruiz').waitFor();
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of [...addresses, page.url()]) expect(address).not.toContain('code');
    expect(await everything(page)).not.toContain(code);
    await page.goBack();
    await page.goForward();
    await page.getByText('Muster GmbH · Ana Ruiz').waitFor();
    expect(page.url()).not.toContain('code');
  });

  test('that was used says so, with the way to a new one', async () => {
    const link = used.fake.link();
    await follow(await used.blank(), link);
    const page = await used.blank();
    await follow(page, link);
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    await page.getByText('Open Settings › Integrations in the product again.').waitFor();
    expect(page.url()).not.toContain('code');
  });

  test('that was used in another tab offers the session that this browser has, and does not take it unasked', async () => {
    const link = used.fake.link();
    const first = await used.blank();
    await follow(first, link);
    await first.getByRole('navigation').waitFor();
    const second = await anotherTab(first);
    await follow(second, link);
    await second.getByText('Ana Ruiz is signed in for Muster GmbH.').waitFor();
    expect(await second.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe(
      'https://product.example.com/integrations',
    );
    await button(second, 'Go on as Ana Ruiz').click();
    await second.getByRole('link', { name: 'Warehouse sync' }).waitFor();
  });

  test.each(['#code=', '#code=short', `#code=${'x'.repeat(44)}`])(
    'that was cut, as %s, is one that does not work',
    async (hash) => {
      const page = await used.blank();
      await follow(page, used.fake.url + hash);
      await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
      expect(page.url()).toBe(used.fake.url);
    },
  );

  test('that is opened in a tab with the console changes to its account', async () => {
    const page = await used.open();
    await page.goto(used.fake.link({ account: 'other', account_name: 'Other Inc' }));
    await page.getByText('Other Inc · Ana Ruiz').waitFor();
  });

  test.each([
    ['never arrives', loseRequest],
    ['meets an error', answer500],
  ])('whose request %s can be tried again', async (_, handle) => {
    const page = await used.blank();
    await onceTo(page, 'POST', /api\/session$/, handle);
    await follow(page, used.fake.link());
    await button(page, 'Try again').click();
    await page.getByRole('link', { name: 'Warehouse sync' }).waitFor();
  });
});

describe('a session that ends', () => {
  test('while somebody types keeps what was typed for the next one', async () => {
    const page = await used.open();
    await fillKey(page, 'Long thought about');
    used.fake.endSessions();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe(
      'https://product.example.com/integrations',
    );
    expect(used.fake.keys).toHaveLength(6);
    await follow(page, used.fake.link());
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
    expect(await name.inputValue()).toBe('Long thought about');
    expect(await page.getByRole('checkbox', { name: /Read contacts/ }).isChecked()).toBe(true);
    await submit(page).click();
    await page.getByLabel('API key').waitFor();
    expect(used.fake.keys.filter(({ name: one }) => one === 'Long thought about')).toHaveLength(1);
  });

  test('keeps a form of another tab of the page, and opens it again', async () => {
    const page = await used.open();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await button(page, 'Create subscription').click();
    await page.getByLabel('URL of your receiver').fill('https://new.example.com/hooks');
    used.fake.endSessions();
    await page.getByRole('checkbox', { name: /All, also/ }).check();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await follow(page, used.fake.link());
    expect(await page.getByLabel('URL of your receiver').inputValue()).toBe('https://new.example.com/hooks');
  });

  test('shows nothing of what was typed to somebody else', async () => {
    const page = await used.open();
    await fillKey(page, 'Private thought');
    used.fake.endSessions();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await follow(page, used.fake.link({ actor: { id: 'u9', name: 'Eve' } }));
    await page.getByRole('link', { name: 'Warehouse sync' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('is gone on with when the person has signed in in another tab', async () => {
    const page = await used.open();
    await fillKey(page, 'Two tabs');
    used.fake.endSessions();
    await submit(page).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await follow(await anotherTab(page), used.fake.link());
    await expect
      .poll(async () => {
        await button(page, 'I have signed in in another tab')
          .click({ timeout: 1000 })
          .catch(() => {});
        return page.getByRole('dialog').count();
      })
      .toBe(1);
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).inputValue()).toBe(
      'Two tabs',
    );
  });

  test('is looked for again when the browser shows the page as it was', async () => {
    const page = await used.open();
    used.fake.endSessions();
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByText('Warehouse sync').count()).toBe(0);
  });

  test('by signing out ends on the server too, with the way back to the product', async () => {
    const page = await used.open();
    expect(await page.getByRole('link', { name: 'Back to the product' }).getAttribute('href')).toBe(
      'https://product.example.com/settings',
    );
    await fillKey(page, 'Thrown away');
    await button(page, 'Cancel').click();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await everything(page)).not.toContain('Thrown away');
  });

  test('is said not to have ended when the request to sign out did not arrive', async () => {
    const page = await used.open();
    await onceTo(page, 'DELETE', /api\/session$/, loseRequest);
    await button(page, 'Sign out').click();
    await page.getByText('You are still signed in.').waitFor();
  });

  test('whose sign-out lost its answer has ended', async () => {
    const page = await used.open();
    await onceTo(page, 'DELETE', /api\/session$/, loseAnswer);
    await button(page, 'Sign out').click();
    await button(page, 'Sign out').click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  });
});

test('a suspended account says so', async () => {
  const page = await used.open(undefined, { suspended: true });
  await page.getByText('The operator has suspended the API keys of this account').waitFor();
});

test('without anything, the page says where it is opened', async () => {
  const page = await used.blank();
  await page.goto(used.fake.url);
  await page.getByText('Open Settings › Integrations in the product again.').waitFor();
});
