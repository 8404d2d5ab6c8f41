import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { record } from '../../../../lib/activity/activityEntry.ts';
import { transact } from '../../../../lib/dynamodb/transact.ts';
import { randomId } from '../../../../lib/ids.ts';
import { statusOf } from '../../../../lib/webhooks/model/delivery.ts';
import { button, consoleUrl, everything, submit, useConsole } from '../../../support/console/useConsole.ts';
import {
  aContact,
  aReceiver as aReceiverUrl,
  aTester,
  givenContacts,
  givenDeliveries,
  givenKey,
  givenSubscription,
} from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { answer, aReceiver, endsAfter } from '../../../support/http/receivers.ts';
import { deliveriesTo } from '../../../support/pipeline/conservation.ts';
import { isWhole } from '../../../support/run/extent.ts';

// The webhooks and the activity of the console as people see them, in a browser.

const used = useConsole();

async function openSubscription(id: string): Promise<Page> {
  const page = await used.open();
  await page.goto(`${consoleUrl}#/webhooks/${id}`);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  return page;
}

test('a subscription is created from the catalogue of events, and its secret is shown once', async () => {
  const page = await used.open();
  const url = aReceiverUrl();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhook subscriptions yet').waitFor();
  await button(page, 'Create subscription').click();
  await submit(page).click();
  await page.getByText('Enter the whole address').waitFor();
  await page.getByLabel('URL of your receiver').fill(url);
  const example = page.getByRole('link', { name: 'Example of order.paid' });
  expect(await example.getAttribute('href')).toMatch(/\/events\.html#order\.paid$/);
  await page.getByRole('checkbox', { name: 'paid order.paid' }).check();
  await page.getByRole('checkbox', { name: 'refunded order.refunded' }).check();
  await submit(page).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  const guide = page.getByRole('link', { name: 'How to verify a webhook' });
  expect(await guide.getAttribute('href')).toMatch(/\/webhooks\.html#verify-a-delivery$/);
  await button(page, 'Done').click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await page.getByText(url, { exact: true }).waitFor();
  await page.getByText('on this page').waitFor();
  expect(await used.subscriptions()).toMatchObject([
    { url, event_types: ['order.paid', 'order.refunded'], payload: 'full', description: null },
  ]);
  expect(await everything(page)).not.toContain(secret);
});

/** Creates a contact with a new key. @returns the headers of the request */
async function createContact() {
  const { text: key } = await givenKey(used.account);
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const body = JSON.stringify(aContact({ email: 'somebody@example.com' }));
  expect((await fetch(`${apiUrl}/contacts`, { method: 'POST', headers, body })).status).toBe(201);
  return headers;
}

test('a change is delivered, a test shows what the receiver answered, and deliveries are sent again, one and all', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK', [], 'thanks')));
  const { id } = await givenSubscription(used.account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  const headers = await createContact();
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
    .poll(async () => (await deliveriesTo({ account: used.account, id })).map(({ phase }) => statusOf(phase)))
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

test('why a delivery waits is in its line, and it is retried', async () => {
  let status = '200 OK';
  const receiver = await aReceiver((socket, request) => endsAfter(answer(status))(socket, request));
  const { id } = await givenSubscription(used.account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  for (const [sent, answered] of [status, '503 Service Unavailable'].entries()) {
    status = answered;
    await createContact();
    await expect.poll(() => receiver.requests.length).toBe(sent + 1);
  }
  const page = await openSubscription(id);
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click();
      const shown = [/^503 · \d+ ms$/, /Failing since .*\. 1 event is waiting/];
      return Promise.all(shown.map((text) => page.getByText(text).count()));
    })
    .toEqual([1, 1]);
  status = '200 OK';
  await button(page, 'Retry now contact.created').click();
  await page.getByText('It is sent again in a moment.').waitFor();
  await expect.poll(() => page.getByText(/^200 · \d+ ms$/).count()).toBe(2);
  await button(page, 'contact.created').first().click();
  await page.getByText('What was sent in contact.created').click();
  await page.getByText('new for each attempt, as webhook-timestamp is, and not kept').waitFor();
  await button(page, 'Copy body').waitFor();
});

test('a failing receiver: why, what waits, and after its repair all is sent with two clicks', async () => {
  let status = '503 Service Unavailable';
  const receiver = await aReceiver((socket, request) =>
    endsAfter(answer(status, ['Retry-After: 3600'], 'Boom'))(socket, request),
  );
  await givenSubscription(used.account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  for (let sent = 1; sent <= 3; sent++) {
    await createContact();
    await expect.poll(() => receiver.requests.length).toBe(sent);
  }
  const page = await used.open();
  await page.getByRole('link', { name: 'Webhooks (a receiver fails)' }).click();
  const row = page.getByRole('row', { name: /\/hook/ });
  await expect
    .poll(async () => {
      await page.reload();
      await row.waitFor();
      return row.textContent();
    })
    .toMatch(/failing.*The receiver responded with an error \(503\).*3 waiting/);
  await row.getByRole('link', { name: /hook/ }).click();
  const notice = page.locator('.notice');
  await notice
    .getByText(/Failing since .*\. 3 events are waiting\. The receiver responded with an error \(503\)/)
    .waitFor();
  await notice.getByText('Boom').waitFor();
  await notice.getByText('Send a test first').waitFor();
  expect(await button(page, 'Send all now').count()).toBe(0);
  status = '200 OK';
  await button(page, 'Send a test').click();
  // One success between many failures does not make it healthy.
  await button(page, 'Send all now').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'Webhooks (a receiver fails)' }).click();
  await row.getByRole('button', { name: 'Send all now' }).click();
  await page.getByText('3 of 3 queued').waitFor();
  await notice.getByText('events are waiting').waitFor({ state: 'detached' });
  await page.locator('.facts').getByText('healthy').waitFor();
});

test('an ID leads to what it names, in all subscriptions, and what is no ID is told in the field', async () => {
  const [first, second] = [
    await givenSubscription(used.account, { status: 'paused', description: 'Warehouse' }),
    await givenSubscription(used.account, { status: 'paused', description: 'Newsletter' }),
  ];
  const [delivery] = await givenDeliveries(used.account, first);
  await givenDeliveries(used.account, second);
  const page = await used.open();
  const box = page.getByLabel('Find by ID');
  await box.fill('con_123');
  await box.press('Enter');
  await page.getByRole('alert').getByText('This is not an ID.').waitFor();
  await box.fill(` ${delivery?.event_id} `);
  await box.press('Enter');
  await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Newsletter' }).count()).toBe(0);
  expect(await box.inputValue()).toBe(delivery?.event_id);
  await box.fill(delivery?.id as string);
  await box.press('Enter');
  await page
    .locator('tr.details')
    .getByText(delivery?.id as string, { exact: true })
    .first()
    .waitFor();
  await box.fill(second.id);
  await box.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Newsletter' }).waitFor();
  await box.fill(randomUUID());
  await box.press('Enter');
  await page.getByText('No failed request of the last 14 days has the ID').waitFor();
});

test('a found delivery is sent again where it was found', async () => {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  await givenSubscription(used.account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  const [contact] = await givenContacts(used.account, [aContact()]);
  await expect.poll(() => receiver.requests.length).toBe(1);
  const page = await used.open();
  await page.getByLabel('Find by ID').fill(contact?.id as string);
  await page.getByLabel('Find by ID').press('Enter');
  const again = button(page, 'Redeliver contact.created');
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click();
      return again.count();
    })
    .toBe(1);
  await again.click();
  await expect.poll(() => receiver.requests.length).toBe(2);
});

test('everybody sees a redelivery that is running, and nobody begins another one', async () => {
  const subscription = await givenSubscription(used.account, { status: 'paused' });
  await givenDeliveries(used.account, subscription);
  const { text: key } = await givenKey(used.account);
  const url = `${apiUrl}/webhook-subscriptions/${subscription.id}/redeliver`;
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ since: new Date(0).toISOString(), status: 'pending' });
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202);
  const page = await openSubscription(subscription.id);
  await page.getByText('The deliveries are sent again when it is resumed.').waitFor();
  await page.getByText('0 of 1 queued').waitFor();
  expect(await button(page, 'Redeliver many…').isDisabled()).toBe(true);
});

/** Sends all deliveries of a subscription again that have ended. */
async function redeliverAll(page: Page): Promise<void> {
  await button(page, 'Redeliver many…').click();
  // There are no others.
  expect(await page.getByRole('radio', { name: /^Failed or delivered \(1\)/ }).isChecked()).toBe(true);
  const sent = page.waitForRequest((request) => request.url().endsWith('/redeliver'));
  await button(page, 'Redeliver 1 delivery').click();
  expect((await sent).postDataJSON()).toMatchObject({ before: null, event_types: null, status: 'all' });
  await page.getByText('1 of 1 queued').waitFor();
  await page.reload();
  await page.getByText('1 of 1 queued').waitFor();
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
  await page.getByText('More: content and rate limit').click();
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
