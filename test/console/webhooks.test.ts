import { expect, test } from 'vitest';
import { button, everything, submit, useConsole } from '../support/console/useConsole.ts';

// The webhooks and the activity of the console as people see them, in a browser.

const used = useConsole();

async function openSubscription(name = /shop.example.com/) {
  const page = await used.open();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name }).click();
  await page.getByText('2 attempts').waitFor();
  return page;
}

test('the list shows health, status and what of the known deliveries has arrived', async () => {
  const page = await used.open();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('row', { name: /shop\.example\.com.*healthy.*87 % of 8/s }).waitFor();
  await page.getByRole('row', { name: /crm\.example\.com.*all events.*7 failures in a row/s }).waitFor();
  await page
    .getByRole('row', { name: /old\.example\.com.*disabled.*after five days without a success/s })
    .waitFor();
});

test('a subscription is created from the catalogue of events, and its secret is shown once', async () => {
  used.fake.subscriptions = [];
  const page = await used.open();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhook subscriptions yet').waitFor();
  await button(page, 'Create subscription').click();
  await submit(page).click();
  await page.getByText('Enter the whole address').waitFor();
  await page.getByLabel('URL of your receiver').fill('https://new.example.com/hooks');
  await page.getByText('Orders', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'paid order.paid' }).check();
  await page.getByRole('checkbox', { name: 'refunded order.refunded' }).check();
  await submit(page).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await button(page, 'I have stored it').click();
  await page.getByRole('link', { name: /new.example.com/ }).waitFor();
  expect(used.fake.subscriptions[0]).toMatchObject({
    event_types: ['order.paid', 'order.refunded'],
    payload: 'full',
    description: null,
  });
  expect(await everything(page)).not.toContain(secret);
});

test('a test shows what the receiver answered', async () => {
  const page = await openSubscription();
  await button(page, 'Send a test event').click();
  await page.getByText('Delivered (200) after 48 ms').waitFor();
  await page.getByText('thanks').waitFor();
});

test('deliveries show their attempts, can be those that failed alone, and are sent again once', async () => {
  const page = await openSubscription();
  await page.getByText('2 attempts').click();
  await page.getByText('<h1>Internal Server Error</h1>').first().waitFor();
  await page.getByRole('checkbox', { name: 'Only failed' }).check();
  await expect.poll(() => page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count()).toBe(2);
  const sent = page.waitForRequest(/redeliver$/);
  await button(page, 'Redeliver order.paid').click();
  expect((await sent).headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  await page.getByText('It is sent again in a moment.').waitFor();
});

test('a subscription is paused, resumed, changed, and gets a new secret', async () => {
  const page = await openSubscription();
  await button(page, 'Pause').click();
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();
  await button(page, 'Edit…').click();
  await page.getByLabel('Description (optional)').fill('For the shop');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await submit(page).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'For the shop' });
  await page.getByText('The subscription is saved.').waitFor();
  await button(page, 'Rotate secret…').click();
  await submit(page).click();
  expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/);
});

test('a subscription is deleted after its host was typed', async () => {
  const page = await openSubscription();
  await button(page, 'Delete…').click();
  await submit(page).click();
  await page.getByText('Type shop.example.com to delete it.').waitFor();
  expect(used.fake.subscriptions).toHaveLength(3);
  await page.getByLabel('Type shop.example.com to confirm').fill('shop.example.com');
  await submit(page).click();
  await page.getByText('The subscription is deleted.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  expect(used.fake.subscriptions).toHaveLength(2);
});

test('the activity shows who did what, before and after, of one key alone and page by page', async () => {
  const [newest] = used.fake.entries;
  const page = await used.open();
  used.fake.entries = [
    ...used.fake.entries,
    ...Array.from({ length: 70 }, (_, n) => ({
      ...(newest as NonNullable<typeof newest>),
      id: `2020-01-01#${String(99 - n)}`,
    })),
  ];
  await page.getByRole('link', { name: 'Activity' }).click();
  await page
    .getByRole('row', { name: /ops operator renamed Warehouse sync Name: Warehouse → Warehouse sync/ })
    .waitFor();
  expect(await page.getByRole('row').count()).toBe(51);
  await button(page, 'Show older').click();
  await expect.poll(() => page.getByRole('row').count()).toBe(used.fake.entries.length + 1);
  expect(await button(page, 'Show older').count()).toBe(0);
  await page.getByLabel('Key', { exact: true }).selectOption({ label: 'Newsletter tool (pak_live_…Zx31)' });
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByText('Jonas Weber rotated').waitFor();
});
