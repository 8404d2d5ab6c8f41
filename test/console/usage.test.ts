import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { UsageAnswer } from '../../lib/contract/console/usage.ts';
import { answerFailures, answerUsage, usageAnswer } from '../support/console/cannedUsage.ts';
import { answer500, desk, onceTo } from '../support/console/openPage.ts';
import { button, useConsole } from '../support/console/useConsole.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { apiUrl } from '../support/http/api.ts';
import { isWhole } from '../support/run/extent.ts';

// Usage and failed requests of the console as people see them, in a browser.

const used = useConsole();

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

const newestFirst = async () => (await used.keys()).map(({ id }) => id);

async function openUsage() {
  const page = await used.open();
  const asked = await answerUsage(page, await newestFirst());
  await tab(page, 'Usage');
  await page.getByRole('row', { name: '2xx succeeded 19,476 40 ms' }).waitFor();
  return { page, asked };
}

describe('usage', () => {
  test('says the exact numbers of a bar that is pointed at, or chosen with the keyboard, and all as a table', async () => {
    const { page } = await openUsage();
    const chart = page.locator('.chart');
    const box = await chart.locator('svg').boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 100);
    const last = /2,169 in all; 2xx succeeded: 823, 4xx refused: 723, 5xx failed on our side: 623$/;
    await chart.getByText(last).waitFor();
    await page.mouse.move(0, 0);
    const slider = page.getByRole('slider', { name: 'Requests by time' });
    await slider.focus();
    await page.keyboard.press('Home');
    await chart.getByText(/2,100 in all; 2xx succeeded: 800,/).waitFor();
    await page.keyboard.press('ArrowRight');
    await chart.getByText(/2,103 in all; 2xx succeeded: 801,/).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/2,103 in all/);
    await page.getByText('All numbers as a table').click();
    const numbers = page.getByRole('table', { name: 'Requests by time' });
    await expect.poll(() => numbers.getByRole('row').count()).toBe(25);
    expect((await numbers.getByRole('row').last().getByRole('cell').allInnerTexts()).join(' ')).toBe(
      '823 723 623 2,169',
    );
  });

  test('is shown for 400 days, by key, and of one key alone', async () => {
    const { page, asked } = await openUsage();
    await page.getByRole('radio', { name: '400 days' }).check();
    await page.getByText('Days begin at midnight UTC.').waitFor();
    await page.getByRole('radio', { name: 'By key' }).check();
    await page.getByRole('table', { name: 'Requests in all' }).getByRole('button', { name: /Trial/ }).click();
    await page.getByRole('row', { name: /^2xx succeeded/ }).waitFor();
    const [trial] = await used.keys('Trial');
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({
      resolution: 'day',
      group_by: 'status',
      key_id: trial?.id,
    });
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(trial?.id);
  });

  test('by operation shows the greatest alone and the others as one, of an operation its statuses, and is saved as a file', async () => {
    const { page, asked } = await openUsage();
    await page.getByRole('radio', { name: 'By operation' }).check();
    await page.getByText('All numbers as a table').click();
    await page.getByRole('columnheader', { name: '3 others' }).waitFor();
    const download = page.waitForEvent('download');
    await button(page, 'Download as CSV').click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect((await download).suggestedFilename()).toMatch(/^usage .* by operation\.csv$/);
    expect(lines).toHaveLength(26);
    expect(lines[0]).toMatch(/^time,listContacts,createContact,(\w+,){5}updateContact$/);
    expect(lines[1]).toMatch(/^[\d-]+T\d\d:00:00.000Z,800,700,600,500,400,300,200,100$/);
    await button(page, 'getContact').click();
    await expect.poll(() => asked.at(-1)?.get('operation')).toBe('getContact');
    await button(page, 'Only getContact: show all').click();
    await expect.poll(() => asked.at(-1)?.get('operation')).toBeNull();
  });

  test.runIf(isWhole)('by operation has those that were removed, which cannot be chosen', async () => {
    const { page } = await openUsage();
    await page.route(/\/console\/api\/usage/, async (route) => {
      const answer = usageAnswer(new URL(route.request().url()).searchParams, []);
      const [first, ...others] = answer.groups as [UsageAnswer['groups'][number], ...UsageAnswer['groups']];
      await route.fulfill({ json: { ...answer, groups: [{ ...first, operation: 'listGone' }, ...others] } });
    });
    await page.getByRole('radio', { name: 'By operation' }).check();
    const totals = page.getByRole('table', { name: 'Requests in all' });
    await totals.getByRole('row', { name: /^listGone 19,476 / }).waitFor();
    const names = await totals.getByRole('button').allInnerTexts();
    expect(names).toContain('createContact');
    expect(names).not.toContain('listGone');
  });

  test.runIf(isWhole)('of an account without requests says so', async () => {
    const page = await used.open(desk, { account: givenAccount() });
    await tab(page, 'Usage');
    await page.getByText('No requests in the last 24 hours.').waitFor();
  });
});

async function openFailures() {
  const page = await used.open();
  const [trial] = await used.keys('Trial');
  const asked = await answerFailures(page, trial?.id as string);
  await tab(page, 'Failed requests');
  await page.getByRole('row', { name: /POST \/contacts 6c7c9e05/ }).waitFor();
  return { page, asked };
}

describe('failed requests', () => {
  test('name what was wrong, with the way to its description, and say how many are only counted', async () => {
    const { page } = await openFailures();
    const row = page.getByRole('row', { name: /POST \/contacts 6c7c9e05/ });
    await row
      .getByText(
        'must be an e-mail address of at most 254 visible characters, without a name or another address beside it',
      )
      .waitFor();
    const hrefOf = (name: string) => row.getByRole('link', { name, exact: true }).getAttribute('href');
    expect(await hrefOf('email')).toMatch(/^http:.*\/docs\/#tag\/contacts\/POST\/contacts\.body\.email$/);
    expect(await hrefOf('address.country')).toMatch(/\.body\.address$/);
    await row.getByText('is not known here').waitFor();
    await row.getByRole('link', { name: 'Trial' }).waitFor();
    await page.getByText('1,204 more failed requests were counted, but not kept').waitFor();
  });

  test.runIf(isWhole)('are read page by page, also over a page without any', async () => {
    const { page } = await openFailures();
    const rows = () => page.getByRole('row').count();
    expect(await rows()).toBe(3);
    await button(page, 'Show older').click();
    await button(page, 'Show older').click();
    await expect.poll(rows).toBe(4);
    await expect.poll(() => button(page, 'Show older').count()).toBe(0);
  });

  test('are those of a key, a class and a time, and a pasted id finds its request', async () => {
    const { page, asked } = await openFailures();
    const [trial] = await used.keys('Trial');
    await page.getByLabel('Key', { exact: true }).selectOption(trial?.id as string);
    await page.getByLabel('Status').selectOption('5xx');
    const chosen = Date.now();
    await page.getByLabel('Last').selectOption('1 hour');
    await expect.poll(() => asked.at(-1)?.get('since')).toBeTruthy();
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ key_id: trial?.id, status_class: '5xx' });
    const hourLater = Date.parse(asked.at(-1)?.get('since') as string) + 3_600_000;
    expect(hourLater).toBeGreaterThanOrEqual(chosen);
    expect(hourLater).toBeLessThanOrEqual(Date.now());
    const id = '6c7c9e05-0000-4000-8000-000000000003';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(` ${id} `)})`);
    await page.getByLabel('Request id').focus();
    await page.keyboard.press('Control+V');
    await page.getByRole('row', { name: new RegExp(id) }).waitFor();
    expect([...(asked.at(-1)?.keys() ?? [])].sort()).toEqual(['limit', 'request_id']);
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Request id').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No failed request of the last 14 days has the id “nobody”.').waitFor();
  });
});

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
  await tab(page, 'Failed requests');
  const row = page.getByRole('row', { name: new RegExp(refused.headers.get('X-Request-Id') as string) });
  const reads = async (found: () => Promise<number>) =>
    expect
      .poll(async () => {
        await button(page, 'Read again').click();
        return found();
      })
      .toBe(1);
  await reads(() => row.getByRole('link', { name: 'email' }).count());
  await row.getByText(/must be an e-mail address/).waitFor();
  expect(await page.content()).not.toContain('canary');
  await row.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.locator('.facts').getByRole('link', { name: 'Usage' }).click();
  await reads(() => page.getByRole('row', { name: /^2xx succeeded 1 / }).count());
  await page.getByRole('row', { name: /^4xx refused 1 / }).waitFor();
  await tab(page, 'API keys');
  await page.getByRole('row', { name: /Shop.*(?:just now|minutes? ago).*Never 2/s }).waitFor();
});

test('a viewer sees usage and failed requests', async () => {
  const page = await used.open(desk, { role: 'viewer' });
  await answerUsage(page, await newestFirst());
  await tab(page, 'Usage');
  await page.getByRole('row', { name: '2xx succeeded 19,476 40 ms' }).waitFor();
  await tab(page, 'Failed requests');
  await page.getByText('No request has failed in the last 14 days.').waitFor();
});

test.each([
  ['Usage', /api\/usage\?/, 'No requests in the last 24 hours.'],
  ['Failed requests', /api\/failed-requests\?/, 'No request has failed in the last 14 days.'],
])('%s that cannot be read says so, and is read again', async (name, path, words) => {
  const page = await used.open(desk, { account: givenAccount() });
  await onceTo(page, 'GET', path, answer500);
  await tab(page, name);
  await page.getByText('could not be read').waitFor();
  await button(page, 'Try again').click();
  await page.getByText(words).waitFor();
});
