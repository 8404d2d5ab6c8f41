import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answer500, desk, onceTo } from '../../../support/console/openPage.ts';
import { button, consoleUrl, submit, useConsole } from '../../../support/console/useConsole.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';
import { lambdaContext } from '../../../support/http/events.ts';
import { accessLine, countRequests, logsEvent } from '../../../support/usage/logs.ts';

// Usage and failed requests of the console as people see them, in a browser.

const used = useConsole();

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

test('what a key does is counted, and what has failed is listed with its reason', async () => {
  const { text: key } = await givenKey(used.account, undefined, { name: 'Shop' });
  const send = (path: string, body?: object) =>
    fetch(`${apiUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  expect((await send('/contacts?limit=1')).status).toBe(200);
  const refused = await send('/contacts', { email: 'canary is no address' });
  expect(refused.status).toBe(400);
  const page = await used.open();
  await page.goto(`${consoleUrl}#/failed-requests?request=${refused.headers.get('X-Request-Id')}`);
  const row = page.locator('tbody');
  const reads = async (found: () => Promise<number>) =>
    expect
      .poll(async () => {
        await button(page, 'Refresh').click();
        return found();
      })
      .toBe(1);
  await reads(() => row.getByRole('link', { name: 'email' }).count());
  await row
    .getByText(/must be an e-mail address/)
    .first()
    .waitFor();
  expect(await page.content()).not.toContain('canary');
  await row.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.locator('.facts').getByRole('link', { name: 'Usage' }).click();
  await reads(() => page.getByRole('row', { name: /^2xx succeeded 1 / }).count());
  await page.getByRole('row', { name: /^4xx client errors 1 / }).waitFor();
  await tab(page, 'API keys');
  // The cards of a phone leave out what is usual, and the page of the key has it.
  await page.getByRole('row', { name: /Shop.*2.*1 failed/s }).waitFor();
  await page.getByRole('link', { name: 'Shop', exact: true }).click();
  await page
    .locator('.facts')
    .getByText(/^(just now|\d+ minutes? ago)$/)
    .waitFor();
  await page.locator('.facts').getByText('Never', { exact: true }).waitFor();
});

test('a key that lacks a scope gets it from the reason of the failure', async () => {
  const { text } = await givenKey(used.account, ['contacts:read'], { name: 'Shop' });
  const headers = { 'X-Api-Key': text, 'Content-Type': 'application/json' };
  expect((await fetch(`${apiUrl}/contacts`, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  const page = await used.open();
  await tab(page, 'Failed requests');
  const add = page.getByRole('link', { name: 'Add contacts:write…' });
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click();
      return add.count();
    })
    .toBe(1);
  await page.getByRole('link', { name: 'This API key lacks the scope contacts:write' }).click();
  await page.getByRole('heading', { name: 'POST /contacts 403' }).waitFor();
  await add.click();
  const box = (name: RegExp) => page.getByRole('checkbox', { name });
  await expect.poll(() => box(/contacts:write/).isChecked()).toBe(true);
  expect(await box(/orders:read/).isChecked()).toBe(false);
  await submit(page).click();
  await page.getByText('“Shop” is saved.').waitFor();
  expect((await used.keys('Shop'))[0]?.scopes).toEqual(['contacts:read', 'contacts:write']);
  expect(new URL(page.url()).hash).not.toContain('scope');
});

test('the address of a failed request opens it, also one that is beyond the first page', async () => {
  const keys = await used.keys();
  const now = Date.now();
  const ids: string[] = [];
  const lines = keys.flatMap(({ id: key }) =>
    Array.from({ length: 20 }, () => {
      const id = randomUUID();
      const at = new Date(now - 1000 * ids.push(id));
      const resource = '/contacts/{contactId}';
      return accessLine({ account: used.account, key, id, at, status: 404, resource });
    }),
  );
  expect(lines.length).toBeGreaterThan(50);
  await countRequests(logsEvent(lines), lambdaContext(60_000));
  const page = await used.open();
  const oldest = ids.at(-1) as string;
  await page.goto(`${consoleUrl}#/failed-requests?view=requests&open=${oldest}`);
  await page.locator('tr.details').locator('code').getByText(oldest).waitFor();
  expect(await page.locator('tr.details').count()).toBe(1);
});

test('each count is asked for once, and after a failed read nothing old stays', async () => {
  const page = await used.open();
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/api/usage?') && asked.push(request.url()));
  await tab(page, 'Usage');
  await page.getByRole('row', { name: /^2xx/ }).waitFor();
  expect([asked.length, new Set(asked).size]).toEqual([2, 2]);
  await onceTo(page, 'GET', /api\/usage\?/, answer500);
  await page.getByRole('radio', { name: '30 days' }).check();
  await page.getByText('could not be read').waitFor();
  // The chart of 24 hours.
  await page.locator('.old .chart').waitFor();
  await button(page, 'Try again').click();
  await page.locator('.old').waitFor({ state: 'detached' });
  await page.getByText('Days begin at midnight UTC.').waitFor();
  expect(asked).toHaveLength(6);
});

test.each([
  ['Usage', /api\/usage\?/, 'No requests in the last 24 hours.'],
  ['Failed requests', /api\/failed-requests\/groups/, 'No request has failed in the last 14 days.'],
])('%s that cannot be read says so, and is read again', async (name, path, words) => {
  const page = await used.open(desk, { account: givenAccount() });
  await onceTo(page, 'GET', path, answer500);
  await tab(page, name);
  await page.getByText('could not be read').waitFor();
  await button(page, 'Try again').click();
  await page.getByText(words).waitFor();
});
