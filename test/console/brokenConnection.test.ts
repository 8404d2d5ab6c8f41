import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer500, answerBroken, loseAnswer, loseRequest, onceTo } from '../support/console/openPage.ts';
import { button, choose, fillKey, submit, useConsole } from '../support/console/useConsole.ts';

// The connection breaks in the middle of an action: nothing happens twice, and the page says what is known.

const used = useConsole();

type Break = [name: string, handle: (route: Route) => Promise<void>];

/** The server has done it. */
const after: Break[] = [
  ['the answer is lost', loseAnswer],
  ['the answer is 504', answerBroken],
];
/** The server has not done it, and the page cannot know that. */
const before: Break[] = [
  ['the request is lost', loseRequest],
  ['the answer is 500', answer500],
];

const named = (name: string) => used.fake.keys.filter((key) => key.name === name);

async function createBroken(page: Page, handle: Break[1]): Promise<void> {
  await fillKey(page, 'Fragile');
  await onceTo(page, 'POST', /api\/keys$/, handle);
  await submit(page).click();
  await page.getByText('No answer came, so the key may have been created or not.').waitFor();
}

describe('a new key', () => {
  test.each(before)('is made by the second try when %s', async (_, handle) => {
    const page = await used.open();
    await createBroken(page, handle);
    expect(named('Fragile')).toHaveLength(0);
    await button(page, 'Try again').click();
    await page.getByLabel('API key').waitFor();
    expect(named('Fragile')).toHaveLength(1);
  });

  test.each(after)('is made once when %s, and gets a secret by a rotation at once', async (_, handle) => {
    const page = await used.open();
    await createBroken(page, handle);
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'The secret of “Fragile” was lost' }).waitFor();
    await button(page, 'Rotate now').click();
    await page.getByLabel('API key').waitFor();
    expect(named('Fragile')).toHaveLength(1);
    expect(named('Fragile')[0]?.secrets).toHaveLength(1);
  });

  test('is made once when the page is loaded again before the second try', async () => {
    const page = await used.open();
    await createBroken(page, loseAnswer);
    await page.reload();
    await page.getByText('No answer came, so the key may have been created or not.').waitFor();
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'The secret of “Fragile” was lost' }).waitFor();
    expect(named('Fragile')).toHaveLength(1);
  });

  test('is in the list when the person gives up after its answer was lost', async () => {
    const page = await used.open();
    await createBroken(page, loseAnswer);
    await button(page, 'Close').click();
    await page.getByRole('link', { name: 'Fragile' }).waitFor();
  });

  test('that was refused can be corrected, and is then another request', async () => {
    const page = await used.open();
    await fillKey(page, 'Refused');
    const keys: (string | undefined)[] = [];
    await page.route(/api\/keys$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.fallback();
      await route.fulfill({
        status: 400,
        json: { error: 'Bad Request', message: 'name must be something else' },
      });
    });
    await submit(page).click();
    await page.getByText('name must be something else').waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Better');
    await submit(page).click();
    await page.getByLabel('API key').waitFor();
    expect(new Set(keys).size).toBe(2);
    expect(named('Better')).toHaveLength(1);
  });
});

describe('a rotation', () => {
  const secretsOf = (name: string) => named(name)[0]?.secrets.length;

  async function rotateBroken(page: Page, handle: Break[1]): Promise<void> {
    await choose(page, 'Warehouse sync', 'Rotate…');
    await onceTo(page, 'POST', /rotate$/, handle);
    await submit(page).click();
    await page.getByText('No answer came, so the key may have been rotated or not.').waitFor();
    await button(page, 'Try again').click();
  }

  test.each(before)('happens once when %s', async (_, handle) => {
    const page = await used.open();
    await rotateBroken(page, handle);
    await page.getByLabel('API key').waitFor();
    expect(secretsOf('Warehouse sync')).toBe(2);
  });

  test.each(after)('happens once when %s', async (_, handle) => {
    const page = await used.open();
    await rotateBroken(page, handle);
    await page.getByRole('heading', { name: 'The secret of “Warehouse sync” was lost' }).waitFor();
    expect(secretsOf('Warehouse sync')).toBe(2);
  });
});

test.each([...before, ...after])(
  'a change is made once, and is not taken for somebody else’s, when %s',
  async (_, handle) => {
    const page = await used.open();
    await choose(page, 'Check-in app', 'Edit…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await onceTo(page, 'PATCH', /api\/keys\//, handle);
    await submit(page).click();
    await button(page, 'Try again').click();
    await page.getByText('“Renamed” is saved.').waitFor();
    expect(named('Renamed')[0]?.version).toBe(2);
  },
);

test.each([...before, ...after])('a key is revoked when %s', async (_, handle) => {
  const page = await used.open();
  await choose(page, 'Check-in app', 'Revoke…');
  await onceTo(page, 'POST', /revoke$/, handle);
  await submit(page).click();
  await button(page, 'Try again').click();
  await page.getByText('“Check-in app” is revoked.').waitFor();
  expect(named('Check-in app')[0]?.status).toBe('revoked');
});

test.each([...before, ...after])('a subscription is created once when %s', async (_, handle) => {
  const page = await used.open();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await button(page, 'Create subscription').click();
  await page.getByLabel('URL of your receiver').fill('https://new.example.com/hooks');
  await page.getByRole('checkbox', { name: /All, also/ }).check();
  await onceTo(page, 'POST', /webhook-subscriptions$/, handle);
  await submit(page).click();
  await button(page, 'Try again').click();
  await page.getByRole('textbox', { name: 'Signing secret' }).waitFor();
  expect(used.fake.subscriptions.filter(({ url }) => url === 'https://new.example.com/hooks')).toHaveLength(
    1,
  );
});

describe('of a subscription', () => {
  async function openSubscription(): Promise<Page> {
    const page = await used.open();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: /shop.example.com/ }).click();
    await page.getByText('2 attempts').waitFor();
    return page;
  }
  const subscription = () => used.fake.subscriptions.find(({ url }) => url.includes('shop.example.com'));

  test.each([...before, ...after])('a change is made once when %s', async (_, handle) => {
    const page = await openSubscription();
    await button(page, 'Edit…').click();
    await page.getByLabel('Description (optional)').fill('Changed');
    await onceTo(page, 'PATCH', /webhook-subscriptions\//, handle);
    await submit(page).click();
    await button(page, 'Try again').click();
    await page.getByText('The subscription is saved.').waitFor();
    expect(subscription()).toMatchObject({ description: 'Changed', version: 2 });
  });

  test.each([...before, ...after])('a pause is made once when %s', async (_, handle) => {
    const page = await openSubscription();
    await onceTo(page, 'PATCH', /webhook-subscriptions\//, handle);
    await button(page, 'Pause').click();
    await page.getByText('No answer came. Try again.').waitFor();
    await button(page, 'Pause').click();
    await button(page, 'Resume').waitFor();
    expect(subscription()).toMatchObject({ status: 'paused', version: 2 });
  });

  test.each([...before, ...after])('its end is made sure of when %s', async (_, handle) => {
    const page = await openSubscription();
    await button(page, 'Delete…').click();
    await page.getByLabel(/^Type/).fill('shop.example.com');
    await onceTo(page, 'DELETE', /webhook-subscriptions\//, handle);
    await submit(page).click();
    await button(page, 'Try again').click();
    await page.getByText('The subscription is deleted.').waitFor();
    expect(subscription()).toBeUndefined();
  });

  test.each([...before, ...after])('a delivery is sent again once when %s', async (_, handle) => {
    const page = await openSubscription();
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('redeliver')) keys.push(request.headers()['idempotency-key']);
    });
    await onceTo(page, 'POST', /redeliver$/, handle);
    await button(page, 'Redeliver order.paid').last().click();
    await button(page, 'Try again order.paid').click();
    await page.getByText('It is sent again in a moment.').waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});

test.each([
  ['keys', /api\/keys\?/],
  ['webhooks', /api\/webhook-subscriptions\?/],
  ['activity', /api\/activity\?/],
] as const)('a list of %s that cannot be read says so, and is read again', async (tab, path) => {
  const page = await used.open();
  await onceTo(page, 'GET', path, answer500);
  await page.goto(`${used.fake.url}#/${tab}`);
  await page.reload();
  await page.getByText('could not be read').waitFor();
  await button(page, 'Try again').click();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1);
});

test('a part of the page that cannot be loaded says so', async () => {
  const page = await used.blank();
  await page.route(/Others\.\w+\.js/, loseRequest);
  await page.goto(used.fake.link());
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await button(page, 'Load the page again').waitFor();
  await page.unroute(/Others\.\w+\.js/);
  await button(page, 'Load the page again').click();
  await page.getByRole('link', { name: /shop.example.com/ }).waitFor();
});
