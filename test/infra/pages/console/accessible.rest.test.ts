import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../../lib/resources/contacts.ts';
import { suspendAccount } from '../../../../lib/webhooks/receivers/blockedHosts.ts';
import { desk, follow, overhang, phone, violations } from '../../../support/console/openPage.ts';
import { button, choose, fillKey, submit, useConsole } from '../../../support/console/useConsole.ts';
import {
  aContact,
  givenAccount,
  givenContacts,
  givenSubscription,
  givenSuspended,
} from '../../../support/data/given.ts';
import { lambdaContext } from '../../../support/http/events.ts';
import { answer, aReceiver, endsAfter } from '../../../support/http/receivers.ts';
import { accessLine, countRequests, logsEvent } from '../../../support/usage/logs.ts';

// axe finds nothing in any state of the page, and nothing is wider than the window.

const used = useConsole();

const looks: [string, BrowserContextOptions][] = [
  ['light', desk],
  ['dark', { ...desk, colorScheme: 'dark' }],
  ['forced colours', { ...desk, forcedColors: 'active' }],
  ['tablet', { viewport: { width: 820, height: 1000 } }],
  ['phone', phone],
  // A window of 1280 pixels, in which all is twice as large.
  ['dark at 200 %', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
];

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

const count = (lines: readonly string[]) => countRequests(logsEvent(lines), lambdaContext(60_000));

/** A key has called nine operations, and failed for two reasons, for one of them very often. */
async function givenRequests(account: string, key: string): Promise<void> {
  const sent = { account, key, at: new Date() };
  const read = ['/contacts', '/orders', '/event-registrations', '/changes', '/me', '/webhook-subscriptions'];
  const one = ['/contacts/{contactId}', '/orders/{orderId}'];
  await count([...read, ...one].map((resource) => accessLine({ ...sent, resource })));
  await count(
    Array.from({ length: 30 }, () => accessLine({ ...sent, status: 404, resource: one[0] as string })),
  );
  const mistaken = { ...sent, id: randomUUID(), method: 'POST', resource: '/contacts', status: 400 };
  await count([accessLine(mistaken)]);
  const problems = [{ field: 'email', message: 'must be an e-mail address' }];
  const line = { message: 'request', operation: 'createContact', status: 400, error_message: null, problems };
  await count([
    JSON.stringify({ ...line, account, key_id: key, request_id: mistaken.id, time_ms: sent.at.getTime() }),
  ]);
}

/** A receiver has taken a delivery and refused the next; another one is suspended. @returns the host of the first, and a record */
async function givenWebhooks(account: string): Promise<{ host: string; record: string }> {
  let status = '200 OK';
  let contact: Contact | undefined;
  const receiver = await aReceiver((socket, request) =>
    endsAfter(answer(status, [], 'thanks'))(socket, request),
  );
  await givenSubscription(account, { url: `http://127.0.0.1:${receiver.port}/hook` });
  for (const [sent, answered] of [status, '503 Service Unavailable'].entries()) {
    status = answered;
    [contact] = await givenContacts(account, [aContact()]);
    await expect.poll(() => receiver.requests.length).toBe(sent + 1);
  }
  const down = await givenSubscription(account, { url: 'http://127.0.0.1:9/down' });
  await givenSuspended(account, down.id);
  return { host: `127.0.0.1:${receiver.port}`, record: contact?.id as string };
}

/** The host of the subscription that the walk opens, and a record of its deliveries. */
let made: Awaited<ReturnType<typeof givenWebhooks>>;

/** What leads from one state to the next. */
const walk: [state: string, way: (page: Page) => Promise<unknown>][] = [
  ['the list', (page) => page.getByRole('link', { name: 'Warehouse sync' }).waitFor()],
  ['ended keys', (page) => page.getByRole('checkbox', { name: /expired and revoked/ }).check()],
  ['the menu', (page) => button(page, 'Actions for Newsletter tool').click()],
  ['rotate', (page) => button(page, 'Rotate…').filter({ visible: true }).click()],
  [
    'edit',
    async (page) => {
      await button(page, 'Cancel').click();
      await choose(page, 'Check-in app', 'Edit…');
    },
  ],
  [
    'revoke',
    async (page) => {
      await button(page, 'Cancel').click();
      await choose(page, 'Newsletter tool', 'Revoke…');
    },
  ],
  [
    'create, with mistakes',
    async (page) => {
      await button(page, 'Cancel').click();
      await button(page, 'Create key').click();
      await submit(page).click();
      await page.getByText('Say what the key is for.').waitFor();
    },
  ],
  [
    'secret',
    async (page) => {
      await button(page, 'Cancel').click();
      await fillKey(page, 'Shop import');
      await submit(page).click();
      await page.getByRole('textbox', { name: 'API key', exact: true }).waitFor();
      await button(page, 'Copy API key').click();
    },
  ],
  [
    'details',
    async (page) => {
      await button(page, 'Done').click();
      await page.getByRole('link', { name: 'Newsletter tool' }).click();
      await page.getByText('5 more failed requests').waitFor();
    },
  ],
  [
    'usage',
    async (page) => {
      await tab(page, 'Usage');
      await page.getByRole('radio', { name: 'By operation' }).check();
      await page.getByText('All numbers as a table').click();
      await page.getByRole('columnheader', { name: '4 others' }).waitFor();
      await page.getByRole('slider').focus();
    },
  ],
  [
    'failed requests',
    async (page) => {
      await tab(page, 'Failed requests');
      await page.getByText('5 more failed requests').waitFor();
    },
  ],
  [
    'one failed request',
    async (page) => {
      await page.getByRole('link', { name: /email must be/ }).click();
      await page.getByRole('heading', { name: /POST \/contacts/ }).waitFor();
    },
  ],
  [
    'activity',
    async (page) => {
      await tab(page, 'Activity');
      // The first is of the sentence above the entries.
      await page.getByText('signed in').nth(1).waitFor();
    },
  ],
  [
    'webhooks',
    async (page) => {
      await tab(page, 'Webhooks');
      await page.getByText('failing', { exact: true }).waitFor();
    },
  ],
  [
    'create a subscription, with mistakes',
    async (page) => {
      await button(page, 'Create subscription').click();
      await submit(page).click();
      await page.getByText('Enter the whole address').waitFor();
    },
  ],
  [
    'found deliveries',
    async (page) => {
      await button(page, 'Cancel').click();
      await page.getByLabel('Find by ID').fill(made.record);
      await page.getByLabel('Find by ID').press('Enter');
      await page.getByRole('cell', { name: /503/ }).waitFor();
    },
  ],
  [
    'deliveries',
    async (page) => {
      await tab(page, 'Webhooks');
      await page.getByRole('link', { name: /hook$/ }).click();
      await page.getByRole('button', { name: 'contact.created', exact: true }).first().click();
      await page.getByText('What was sent in contact.created').first().click();
      await page.getByText('"type": "contact.created"').waitFor();
      await button(page, 'Send a test').click();
      await page.getByRole('status').getByText('thanks').waitFor();
    },
  ],
  [
    'redeliver many',
    async (page) => {
      await button(page, 'Redeliver many…').first().click();
      await page.getByRole('radio', { name: /^Failed or delivered/ }).check();
      await button(page, /^Redeliver [1-9]/).waitFor();
    },
  ],
  [
    'many redelivered',
    async (page) => {
      await button(page, /^Redeliver [1-9]/).click();
      await page.getByText(/\d+ of \d+ queued/).waitFor();
      // Its progress is not read any more, which would find the session ended.
      await button(page, 'Close').waitFor();
    },
  ],
  [
    'a suspended subscription',
    async (page) => {
      await tab(page, 'Webhooks');
      await page.getByRole('link', { name: /down$/ }).click();
      await page.getByText('This receiver was down for three days.').waitFor();
      await page.goBack();
      await page.goBack();
      await button(page, 'Delete…').waitFor();
    },
  ],
  [
    'delete, with a mistake',
    async (page) => {
      await button(page, 'Delete…').click();
      await submit(page).click();
    },
  ],
  [
    'session ended',
    async (page) => {
      await page.getByLabel(/^Type/).fill(made.host);
      await used.endSessions();
      const ended = page.getByRole('heading', { name: 'Your session has ended' });
      // What the page reads meanwhile may find it out first, and takes the dialog away.
      await Promise.any([submit(page).click(), ended.waitFor()]);
      await ended.waitFor();
    },
  ],
  [
    'a link that was used',
    async (page) => {
      const account = givenAccount();
      await suspendAccount(account);
      const link = await used.link({ role: 'viewer', account });
      await follow(page, link);
      await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
      await follow(page, link);
      await button(page, 'Continue as Ana Ruiz').waitFor();
    },
  ],
  [
    'nothing there, for a viewer of a suspended account',
    async (page) => {
      await button(page, 'Continue as Ana Ruiz').click();
      await tab(page, 'API keys');
      await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    },
  ],
];

describe.each(looks)('%s', (_, options) => {
  test('every state is accessible, and fits the window', async () => {
    const [newsletter] = await used.keys('Newsletter tool');
    await givenRequests(used.account, newsletter?.id as string);
    made = await givenWebhooks(used.account);
    const page = await used.open(options);
    const found: Record<string, unknown> = {};
    for (const [state, way] of walk) {
      await way(page);
      const wrong = await violations(page);
      if (wrong.length > 0) found[state] = wrong;
      expect(await overhang(page), state).toBeLessThanOrEqual(0);
    }
    expect(found).toEqual({});
  });
});

test('targets on a phone are large enough for a finger, and text for the eye', async () => {
  const page = await used.open(phone);
  await page.getByRole('link', { name: 'Warehouse sync' }).waitFor();
  // WCAG 2.2, 2.5.8: 24 pixels, unless it is in a sentence.
  expect(
    await page.evaluate(`[...document.querySelectorAll('button, select, input')]
      .filter((one) => one.checkVisibility() && !one.closest('label'))
      .filter((one) => one.getBoundingClientRect().height < 24)
      .map((one) => one.outerHTML)`),
  ).toEqual([]);
  expect(
    await page.evaluate("parseFloat(getComputedStyle(document.querySelector('td')).fontSize)"),
  ).toBeGreaterThanOrEqual(14);
});
