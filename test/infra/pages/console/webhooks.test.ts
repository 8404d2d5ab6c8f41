import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { record } from '../../../../lib/activity/entry.ts';
import { transact } from '../../../../lib/dynamodb/transact.ts';
import { randomId } from '../../../../lib/ids.ts';
import { answerCanned } from '../../../support/console/cannedWebhooks.ts';
import { desk } from '../../../support/console/openPage.ts';
import { button, consoleUrl, everything, submit, useConsole } from '../../../support/console/useConsole.ts';
import {
  aReceiver as aReceiverUrl,
  aTester,
  givenDeliveries,
  givenKey,
  givenSubscription,
} from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { answer, aReceiver, endsAfter } from '../../../support/http/receivers.ts';
import { storedLog } from '../../../support/pipeline/expectedLogs.ts';
import { isWhole } from '../../../support/run/extent.ts';

// The webhooks and the activity of the console as people see them, in a browser.

const used = useConsole();

async function openSubscription(id: string): Promise<Page> {
  const page = await used.open();
  await page.goto(`${consoleUrl}#/webhooks/${id}`);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  return page;
}

async function openCanned(role?: 'viewer'): Promise<Page> {
  const page = await used.open(desk, role && { role });
  await answerCanned(page);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  return page;
}

test('the list shows health, status and what of the known deliveries has arrived', async () => {
  const page = await openCanned();
  const shop = page.getByRole('row', {
    name: /shop\.example\.com.*healthy.*7 succeeded.*1 failed.*1 retrying.*1 pending.*1 cancelled.*87 % of the last 8/s,
  });
  await shop.waitFor();
  // Each kind has a colour of its own, in the bars as in their legend.
  const tones = (element: string) =>
    page.evaluate<string[]>(
      `[...new Set([...document.querySelector('tbody tr').querySelectorAll('${element}')].map(({ classList }) => [...classList].at(-1)))].sort()`,
    );
  expect(await tones('.swatch')).toHaveLength(5);
  expect(await tones('rect')).toEqual(await tones('.swatch'));
  await page.getByRole('row', { name: /crm\.example\.com.*all events.*7 failures in a row/s }).waitFor();
  await page
    .getByRole('row', { name: /old\.example\.com.*disabled.*after five days without a success/s })
    .waitFor();
});

test('deliveries show their attempts and what was sent, and can be those that are like something', async () => {
  const page = await openCanned();
  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/deliveries?')) asked.push(new URL(request.url()).searchParams);
  });
  await page.getByRole('link', { name: /shop.example.com/ }).click();
  await page.locator('.badge.warn').getByText('retrying').waitFor();
  await page.locator('.badge').getByText('pending', { exact: true }).waitFor();
  const failed = page.getByRole('row', { name: /failed/ });
  await failed.getByRole('button', { name: 'order.paid', exact: true }).click();
  const details = page.locator('tr.details');
  await details.getByText('<h1>Internal Server Error</h1>').first().waitFor();
  expect(await details.getByRole('listitem').count()).toBe(2);
  const [, opened] = /open=(dlv_\w+)/.exec(page.url()) ?? [];
  const webhookId = (opened as string).replace('dlv', 'evt');
  await details.getByRole('button', { name: `Copy ${webhookId}` }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(webhookId);
  await details.getByText('What was sent in order.paid').click();
  await details.getByText('"type": "order.paid"').waitFor();
  await page.reload();
  await details.getByText('<h1>Internal Server Error</h1>').first().waitFor();
  await page.getByLabel('Status').selectOption('succeeded');
  // It is shown beside a list that does not have it, too.
  await details.getByText('<h1>Internal Server Error</h1>').first().waitFor();
  await failed.getByRole('button', { name: 'order.paid', exact: true }).click();
  await details.waitFor({ state: 'detached' });
  const rows = () => page.getByRole('table', { name: 'Deliveries' }).getByRole('row').count();
  await page.getByLabel('Status').selectOption('failed');
  await expect.poll(rows).toBe(2);
  await page.getByLabel('Status').selectOption('Any status');
  await page.getByLabel('Time').selectOption('Last hour');
  await expect.poll(() => asked.at(-1)?.get('since')).toBeTruthy();
  await page.getByLabel('Time').selectOption('Last 35 days');
  await page.getByLabel('Event', { exact: true }).selectOption('order.refunded');
  await expect.poll(rows).toBe(7);
  await page.getByLabel('Resource id').fill('ord_nobody');
  await page.keyboard.press('Enter');
  await page.getByText('No delivery of the last 35 days is like this.').waitFor();
});

test('a subscription is created from the catalogue of events, and its secret is shown once', async () => {
  const page = await used.open();
  const url = aReceiverUrl();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhook subscriptions yet').waitFor();
  await button(page, 'Create subscription').click();
  await submit(page).click();
  await page.getByText('Enter the whole address').waitFor();
  await page.getByLabel('URL of your receiver').fill(url);
  await page.getByText('Orders', { exact: true }).click();
  await page.getByLabel('Example of order.paid').click();
  await page.getByText('"payment_status": "paid"').waitFor();
  await page.getByRole('checkbox', { name: 'paid order.paid' }).check();
  await page.getByRole('checkbox', { name: 'refunded order.refunded' }).check();
  await submit(page).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await button(page, 'I have stored it').click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await page.getByText(url, { exact: true }).waitFor();
  await page.getByText('by Ana Ruiz in this page').waitFor();
  expect(await used.subscriptions()).toMatchObject([
    { url, event_types: ['order.paid', 'order.refunded'], payload: 'full', description: null },
  ]);
  expect(await everything(page)).not.toContain(secret);
});

test('a change is delivered, a test shows what the receiver answered, and deliveries are sent again, one and all', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK', [], 'thanks')));
  const { id } = await givenSubscription(used.account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  const { text: key } = await givenKey(used.account);
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email: 'somebody@example.com' });
  expect((await fetch(`${apiUrl}/contacts`, { method: 'POST', headers, body })).status).toBe(201);
  await expect.poll(() => receiver.requests.length).toBe(1);
  const page = await openSubscription(id);
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click();
      return page.getByRole('table').getByText('succeeded').count();
    })
    .toBe(1);
  await page.getByRole('table').getByRole('button', { name: 'contact.created', exact: true }).click();
  await page.getByText('thanks').waitFor();
  await button(page, 'Send a test event').click();
  await page
    .getByText(/Delivered \(200\) after \d+ ms/)
    .first()
    .waitFor();
  await page.getByText('Your receiver does not verify signatures.').waitFor();
  expect(receiver.requests).toHaveLength(4);
  await button(page, 'Redeliver contact.created').click();
  await page.getByText('It is sent again in a moment.').waitFor();
  await expect.poll(() => receiver.requests.length).toBe(5);
  await expect
    .poll(async () => (await storedLog(used.account, id)).map(({ status }) => status))
    .toEqual(['succeeded']);
  // The dialog asks once how many deliveries to expect, and the index that knows it follows within seconds.
  await expect
    .poll(async () =>
      (await fetch(`${apiUrl}/webhook-subscriptions/${id}/deliveries?status=succeeded`, { headers })).json(),
    )
    .toMatchObject({ pagination: { total: 1 } });
  await redeliverAll(page);
  await expect.poll(() => receiver.requests.length).toBe(6);
});

/** Sends all deliveries of a subscription again that have ended, since a time. */
async function redeliverAll(page: Page): Promise<void> {
  await button(page, 'Redeliver many…').click();
  await page.getByLabel('Stored since').selectOption('A time…');
  await page.getByLabel('Stored before').selectOption('A time…');
  await page.getByRole('checkbox', { name: 'All', exact: true }).uncheck();
  await page.getByRole('radio', { name: /^All, also those that arrived/ }).check();
  await submit(page).click();
  await expect.poll(() => page.getByText('Enter a date and a time.').count()).toBe(2);
  await page.getByText('Choose at least one.').waitFor();
  await page.getByLabel('Since', { exact: true }).fill('2026-01-01T00:00');
  await page.getByLabel('Before', { exact: true }).fill('2025-01-01T00:00');
  await page.getByText('Enter a time after the first.').waitFor();
  await page.getByLabel('Before', { exact: true }).fill('2099-01-01T00:00');
  await page.getByText('Orders', { exact: true }).click();
  await page.getByRole('checkbox', { name: /^All of orders/ }).check();
  await page.getByText('0 deliveries are like this.').waitFor();
  await page.getByText('Contacts', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'created contact.created' }).check();
  await page.getByText('1 delivery is like this.').waitFor();
  const sent = page.waitForRequest((request) => request.url().endsWith('/redeliver'));
  await submit(page).click();
  expect((await sent).postDataJSON()).toEqual({
    since: new Date('2026-01-01T00:00').toISOString(),
    before: new Date('2099-01-01T00:00').toISOString(),
    event_types: ['order.*', 'contact.created'],
    status: 'all',
  });
  await page.getByText('All deliveries that were chosen are sent again.').waitFor();
  await page.getByText('1 of 1 looked at: 1 sent again, 0 left out').waitFor();
  await page.reload();
  await page.getByText('1 of 1 looked at: 1 sent again, 0 left out').waitFor();
  await button(page, 'Close').click();
  await button(page, 'Redeliver many…').waitFor();
}

test('a subscription is paused, resumed, changed, and gets a new secret', async () => {
  const { id } = await givenSubscription(used.account);
  const page = await openSubscription(id);
  await button(page, 'Pause').click();
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();
  await button(page, 'Edit…').click();
  await page.getByLabel('Description (optional)').fill('For the shop');
  await page.getByLabel(/^Rate limit/).fill('0.5');
  await page.getByText('Enter a whole number from 1 to 1000, or nothing.').waitFor();
  await page.getByLabel(/^Rate limit/).fill('5');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await submit(page).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'For the shop', max_per_second: 5 });
  await page.getByText('The subscription is saved.').waitFor();
  await button(page, 'Rotate secret…').click();
  await submit(page).click();
  expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/);
});

test.runIf(isWhole)('a subscription with deliveries is deleted after its host was typed', async () => {
  const { id } = await givenSubscription(used.account, { status: 'paused' });
  await givenDeliveries(used.account, { id });
  const page = await openSubscription(id);
  await button(page, 'Delete…').click();
  await page.getByText('Deliveries in the last 35 days: 1.').waitFor();
  await submit(page).click();
  await page.getByText('Type 127.0.0.1:9 to confirm.').waitFor();
  expect(await used.subscriptions()).toHaveLength(1);
  await page.getByLabel('Type 127.0.0.1:9 to confirm').fill('127.0.0.1:9');
  await submit(page).click();
  await page.getByText('The subscription is deleted.').waitFor();
  await page.getByText('No webhook subscriptions yet').waitFor();
  expect(await used.subscriptions()).toHaveLength(0);
});

/** A number of sign-ins of long ago. */
const givenEntries = (amount: number) =>
  transact(
    Array.from({ length: amount }, (_, n) => {
      const at = new Date(Date.UTC(2026, 0, 1, 0, n));
      return record(
        used.account,
        { action: 'session.started', at, subject: randomId('ses'), number: 1 },
        aTester,
      );
    }),
  );

test('the activity shows who did what, before and after, of one key alone and page by page', async () => {
  await givenEntries(60);
  const page = await used.open();
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('row', { name: /^Jonas Weber revoked Trial/ }).waitFor();
  await page.getByRole('row', { name: /Demo Shop made a link to this page for Ana Ruiz/ }).waitFor();
  expect(await page.getByRole('row').count()).toBe(51);
  await button(page, 'Show older').click();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(65);
  expect(await button(page, 'Show older').count()).toBe(0);
  const [newsletter] = await used.keys('Newsletter tool');
  await page.getByLabel('Key', { exact: true }).selectOption(newsletter?.id as string);
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  const [newest, older] = newsletter?.secrets.map(({ hint }) => `…${hint}`) ?? [];
  await page
    .getByRole('row', { name: `Jonas Weber rotated Newsletter tool Secrets: ${older} → ${newest}, ${older}` })
    .waitFor();
});
