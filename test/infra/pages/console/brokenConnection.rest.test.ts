import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answerCanned } from '../../../support/console/cannedWebhooks.ts';
import {
  answer500,
  answerBroken,
  loseAnswer,
  loseRequest,
  onceTo,
} from '../../../support/console/openPage.ts';
import {
  button,
  choose,
  consoleUrl,
  fillKey,
  submit,
  useConsole,
} from '../../../support/console/useConsole.ts';
import { aReceiver, givenDeliveries, givenSubscription } from '../../../support/data/given.ts';

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
    expect(await used.keys('Fragile')).toHaveLength(0);
    await button(page, 'Try again').click();
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(await used.keys('Fragile')).toHaveLength(1);
  });

  test.each(after)('is made once when %s, and gets a secret by a rotation at once', async (_, handle) => {
    const page = await used.open();
    await createBroken(page, handle);
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'The secret of “Fragile” was lost' }).waitFor();
    await button(page, 'Rotate now').click();
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(await used.keys('Fragile')).toHaveLength(1);
    expect((await used.keys('Fragile'))[0]?.secrets).toHaveLength(1);
  });

  test('is made once when the page is loaded again before the second try', async () => {
    const page = await used.open();
    await createBroken(page, loseAnswer);
    await page.reload();
    await page.getByText('No answer came, so the key may have been created or not.').waitFor();
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: 'The secret of “Fragile” was lost' }).waitFor();
    expect(await used.keys('Fragile')).toHaveLength(1);
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
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(new Set(keys).size).toBe(2);
    expect(await used.keys('Better')).toHaveLength(1);
  });
});

describe('a rotation', () => {
  const secretsOf = async (name: string) => (await used.keys(name))[0]?.secrets.length;

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
    await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
    expect(await secretsOf('Warehouse sync')).toBe(2);
  });

  test.each(after)('happens once when %s', async (_, handle) => {
    const page = await used.open();
    await rotateBroken(page, handle);
    await page.getByRole('heading', { name: 'The secret of “Warehouse sync” was lost' }).waitFor();
    expect(await secretsOf('Warehouse sync')).toBe(2);
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
    expect((await used.keys('Renamed'))[0]?.version).toBe(2);
  },
);

test.each([...before, ...after])('a key is revoked when %s', async (_, handle) => {
  const page = await used.open();
  await choose(page, 'Check-in app', 'Revoke…');
  await page.getByLabel('Type Check-in app to confirm').fill('Check-in app');
  await onceTo(page, 'POST', /revoke$/, handle);
  await submit(page).click();
  await button(page, 'Try again').click();
  await page.getByText('“Check-in app” is revoked.').waitFor();
  expect((await used.keys('Check-in app'))[0]?.status).toBe('revoked');
});

test.each([...before, ...after])('a subscription is created once when %s', async (_, handle) => {
  const page = await used.open();
  const url = aReceiver();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await button(page, 'Create subscription').click();
  await page.getByLabel('URL of your receiver').fill(url);
  await page.getByRole('checkbox', { name: /All, also/ }).check();
  await onceTo(page, 'POST', /webhook-subscriptions$/, handle);
  await submit(page).click();
  await button(page, 'Try again').click();
  await page.getByRole('textbox', { name: 'Signing secret' }).waitFor();
  expect(await used.subscriptions()).toMatchObject([{ url }]);
});

describe('of a subscription', () => {
  async function openSubscription(): Promise<Page> {
    const { id } = await givenSubscription(used.account, { status: 'active' });
    const page = await used.open();
    await page.goto(`${consoleUrl}#/webhooks/${id}`);
    await page.getByText('There was no delivery in the last 35 days.').waitFor();
    return page;
  }
  const subscription = async () => (await used.subscriptions())[0];

  test.each([...before, ...after])('a change is made once when %s', async (_, handle) => {
    const page = await openSubscription();
    await button(page, 'Edit…').click();
    await page.getByLabel('Description (optional)').fill('Changed');
    await onceTo(page, 'PATCH', /webhook-subscriptions\//, handle);
    await submit(page).click();
    await button(page, 'Try again').click();
    await page.getByText('The subscription is saved.').waitFor();
    expect(await subscription()).toMatchObject({ description: 'Changed', version: 2 });
  });

  test.each([...before, ...after])('a pause is made once when %s', async (_, handle) => {
    const page = await openSubscription();
    await onceTo(page, 'PATCH', /webhook-subscriptions\//, handle);
    await button(page, 'Pause').click();
    await page.getByText('No answer came. Try again.').waitFor();
    await button(page, 'Pause').click();
    await button(page, 'Resume').waitFor();
    expect(await subscription()).toMatchObject({ status: 'paused', version: 2 });
  });

  test.each([...before, ...after])('its end is made sure of when %s', async (_, handle) => {
    const page = await openSubscription();
    await button(page, 'Delete…').click();
    await page.getByRole('dialog').getByText('There was no delivery in the last 35 days.').waitFor();
    await onceTo(page, 'DELETE', /webhook-subscriptions\//, handle);
    await submit(page).click();
    await button(page, 'Try again').click();
    await page.getByText('The subscription is deleted.').waitFor();
    expect(await subscription()).toBeUndefined();
  });

  test.each(before)('a delivery is sent again with one Idempotency-Key when %s', async (_, handle) => {
    const page = await used.open();
    await answerCanned(page);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: /shop.example.com/ }).click();
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('redeliver')) keys.push(request.headers()['idempotency-key']);
    });
    await onceTo(page, 'POST', /redeliver$/, handle);
    await button(page, 'Redeliver order.paid').last().click();
    await button(page, 'Try again order.paid').waitFor();
    await button(page, 'Edit…').click();
    await page.getByLabel('Description (optional)').fill('Something else meanwhile');
    await button(page, 'Cancel').click();
    await button(page, 'Try again order.paid').click();
    await page.getByText('It is sent again in a moment.').waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});

test.each([
  ['the answer is lost', loseAnswer],
  ['the answer is 500', answer500],
] as const)('many deliveries are sent again by one job when %s', async (_, handle) => {
  const subscription = await givenSubscription(used.account, { status: 'paused' });
  await givenDeliveries(used.account, subscription, 3);
  const page = await used.open();
  await page.goto(`${consoleUrl}#/webhooks/${subscription.id}`);
  await button(page, 'Redeliver many…').click();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/redeliver')) keys.push(request.headers()['idempotency-key']);
  });
  await onceTo(page, 'POST', /\/redeliver$/, handle);
  await submit(page).click();
  await page.getByText('No answer came, so it may have begun or not.').waitFor();
  await submit(page).click();
  await page.getByText('3 of 3 looked at: 0 sent again, 3 left out').waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  await onceTo(page, 'GET', /redeliveries/, answer500);
  await page.reload();
  await page.getByText('How far it is could not be read.').waitFor();
  await button(page, 'Try again').click();
  await page.getByText('3 of 3 looked at').waitFor();
});

test.each([
  ['keys', /api\/keys\?/],
  ['webhooks', /api\/webhook-subscriptions\?/],
  ['activity', /api\/activity\?/],
] as const)('a list of %s that cannot be read says so, and is read again', async (tab, path) => {
  await givenSubscription(used.account);
  const page = await used.open();
  // From another document: the page that is open would follow to the other tab, and read the list once before.
  await page.goto('about:blank');
  await onceTo(page, 'GET', path, answer500);
  await page.goto(`${consoleUrl}#/${tab}`);
  await page.getByText('could not be read').waitFor();
  await button(page, 'Try again').click();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1);
});

test('a part of the page that cannot be loaded says so', async () => {
  const page = await used.blank();
  await page.route(/later\.\w+\.js/, loseRequest);
  await page.goto(await used.link());
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await button(page, 'Load the page again').waitFor();
  await page.unroute(/later\.\w+\.js/);
  await button(page, 'Load the page again').click();
  await page.getByText('No webhook subscriptions yet').waitFor();
});
