import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answerFailures, answerUsage, openNumbers } from '../../../support/console/cannedUsage.ts';
import { answer500, desk, onceTo, phone } from '../../../support/console/openPage.ts';
import { button, consoleUrl, useConsole } from '../../../support/console/useConsole.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { apiUrl } from '../../../support/http/api.ts';

// Usage and failed requests of the console as people see them, in a browser.

const used = useConsole();

const tab = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

/** The address of a page, below the console. */
const hash = (page: Page): string => new URL(page.url()).hash;

const newestFirst = async () => (await used.keys()).map(({ id }) => id);

async function openUsage() {
  const page = await used.open();
  const asked = await answerUsage(page, await newestFirst());
  await tab(page, 'Usage');
  await page.getByRole('row', { name: '2xx succeeded 19,476 40 ms' }).waitFor();
  return { page, asked };
}

describe('usage', () => {
  test('says the exact numbers of a bar beside it, when it is pointed at, tapped or chosen with the keyboard, and all as a table', async () => {
    const { page } = await openUsage();
    const chart = page.locator('.chart');
    const tip = chart.locator('.tip');
    const box = await chart.locator('svg').boundingBox();
    const point = async (part: number) =>
      page.mouse.move((box?.x ?? 0) + 52 + ((box?.width ?? 0) - 52) * part, (box?.y ?? 0) + 100);
    const numbers = async () => (await tip.innerText()).split('\n').slice(1).join(' ');
    await point(0.99);
    await expect
      .poll(numbers)
      .toMatch(/^2xx succeeded 823 4xx refused 723 5xx failed on our side 623 In all 2,169 /);
    expect(await tip.innerText()).toMatch(/^.* so far\n/);
    const [bar, shown] = await Promise.all([chart.locator('.at').boundingBox(), tip.boundingBox()]);
    // Beside its bar, and inside the window.
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(bar?.x ?? 0);
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'detached' });
    await point(0.01);
    await page.mouse.down();
    await page.mouse.up();
    await point(0.9);
    expect(await numbers()).toMatch(/^2xx succeeded 800 .* In all 2,100 /);
    await tip.getByRole('link', { name: 'Failed requests of this time' }).click();
    await page.getByRole('heading', { name: 'Failed requests' }).waitFor();
    const query = new URLSearchParams(hash(page).split('?')[1]);
    const span = ['until', 'since'].map((name) => Date.parse(query.get(name) as string));
    expect((span[0] as number) - (span[1] as number)).toBe(3_600_000);
    await page.goBack();
    const slider = page.getByRole('slider', { name: 'Requests by time' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(numbers).toMatch(/In all 2,100 /);
    await page.keyboard.press('ArrowRight');
    await expect.poll(numbers).toMatch(/In all 2,103 /);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/2,103 in all; 2xx succeeded: 801,/);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await expect.poll(numbers).toMatch(/In all 2,106 /);
    await page.getByRole('heading', { level: 1 }).focus();
    await point(0.01);
    await expect.poll(numbers).toMatch(/In all 2,100 /);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.getByText('All numbers as a table').click();
    const table = page.getByRole('table', { name: 'Requests by time' });
    await expect.poll(() => table.getByRole('row').count()).toBe(25);
    expect((await table.getByRole('row').last().getByRole('cell').allInnerTexts()).join(' ')).toBe(
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
    await openNumbers(page);
    const download = page.waitForEvent('download');
    await button(page, 'Download as CSV').click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect((await download).suggestedFilename()).toMatch(/^usage .* by operation\.csv$/);
    expect(lines).toHaveLength(26);
    expect(lines[0]).toMatch(/^hour \([\w/]+\),listContacts,createContact,(\w+,){5}updateContact$/);
    expect(lines[1]).toMatch(/^[\d-]+T\d\d:\d\d[-+]\d\d:\d\d,800,700,600,500,400,300,200,100$/);
    await button(page, 'getContact').click();
    await expect.poll(() => asked.at(-1)?.get('operation')).toBe('getContact');
    await button(page, 'Only getContact: show all').click();
    await expect.poll(() => asked.at(-1)?.get('operation')).toBeNull();
  });
});

const ids = [1, 2, 3].map((n) => `6c7c9e05-0000-4000-8000-00000000000${n}`);

async function openFailures(options = desk) {
  const page = await used.open(options);
  const [trial] = await used.keys('Trial');
  const asked = await answerFailures(page, trial?.id as string);
  await tab(page, 'Failed requests');
  await page.getByRole('row', { name: /8,123.*GET \/contacts/s }).waitFor();
  return { page, asked, trial };
}

describe.each([
  ['desk', desk],
  ['phone', phone],
])('failed requests on a %s', (_, options) => {
  test('are those of a few reasons, with their numbers and times, and below the number that is only counted', async () => {
    const { page } = await openFailures(options);
    const groups = page.getByRole('table', { name: 'Failed requests by reason' });
    expect(await groups.getByRole('row').count()).toBe(4);
    await groups
      .getByRole('row', { name: /8,123.*404.*No contact has this id.*Trial.*5 days ago/s })
      .waitFor();
    // Requests with 5xx are all kept, so their number is exact.
    await groups.getByRole('link', { name: /^7 requests: Something went wrong/ }).waitFor();
    const notKept = page.getByText('1,204 more failed requests were counted, but not kept');
    const [above, below] = await Promise.all([notKept.boundingBox(), groups.boundingBox()]);
    expect(above?.y).toBeLessThan(below?.y ?? 0);
  });

  test('of a reason are a line each, with all that is known of one below its line, as the address says', async () => {
    const { page, asked } = await openFailures(options);
    await page.getByRole('link', { name: /^1,870\+ requests: email must be/ }).click();
    await expect.poll(() => asked.at(-1)?.get('group')).toBe('createContact-400_____');
    await page
      .getByRole('heading', { level: 2, name: /^POST \/contacts 400 email must be an e-mail address/ })
      .waitFor();
    await page.getByText('Some of them may have this reason.').waitFor();
    await button(page, 'POST /contacts').click();
    expect(new URLSearchParams(hash(page).split('?')[1]).get('open')).toBe(ids[0]);
    await page.reload();
    const details = page.locator('tr.details');
    await details
      .getByText(
        'must be an e-mail address of at most 254 visible characters, without a name or another address beside it',
      )
      .waitFor();
    const hrefOf = (name: string) => details.getByRole('link', { name, exact: true }).getAttribute('href');
    expect(await hrefOf('email')).toMatch(/^http:.*\/docs\/createContact\.html#body\.email$/);
    expect(await hrefOf('address.country')).toMatch(/#body\.address$/);
    await details.getByText('is not known here').waitFor();
    await details.getByText('12 ms').waitFor();
    await details.getByRole('button', { name: `Copy ${ids[0]}` }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(ids[0]);
    await button(page, 'POST /contacts').click();
    await details.waitFor({ state: 'detached' });
    await page.goBack();
    await details.waitFor();
    await page.getByRole('link', { name: '← All reasons' }).click();
    await page.getByRole('link', { name: /^8,123\+ requests/ }).waitFor();
  });
});

describe('failed requests', () => {
  test('are those of a key, a class and a time, and a pasted id finds its request', async () => {
    const { page, asked, trial } = await openFailures();
    await page.getByLabel('Key', { exact: true }).selectOption(trial?.id as string);
    await page.getByLabel('Status').selectOption('5xx');
    const chosen = Date.now();
    await page.getByLabel('Time').selectOption('Last hour');
    await expect.poll(() => asked.at(-1)?.get('since')).toBeTruthy();
    expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ key_id: trial?.id, status_class: '5xx' });
    const hourLater = Date.parse(asked.at(-1)?.get('since') as string) + 3_600_000;
    expect(hourLater).toBeGreaterThanOrEqual(chosen);
    expect(hourLater).toBeLessThanOrEqual(Date.now());
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(` ${ids[2]} `)})`);
    await page.getByLabel('Request id').focus();
    await page.keyboard.press('Control+V');
    await page
      .locator('tr.details')
      .getByText(ids[2] as string)
      .first()
      .waitFor();
    expect([...(asked.at(-1)?.keys() ?? [])].sort()).toEqual(['limit', 'request_id']);
    expect(await page.getByRole('row').count()).toBe(3);
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
  await page.getByRole('row', { name: /^4xx refused 1 / }).waitFor();
  await tab(page, 'API keys');
  await page.getByRole('row', { name: /Shop.*(?:just now|minutes? ago).*Never 2/s }).waitFor();
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
