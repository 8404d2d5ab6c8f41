import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { OpsCommand } from '../../infra/terminal/command.ts';
import { openBrowser } from '../support/stack/browser.ts';
import {
  type Ready,
  removeFolder,
  root,
  startStackProcess,
  temporaryFolder,
} from '../support/stack/stackProcess.ts';

// npm run screenshots

const folder = join(root, 'docs', 'pictures');
const viewport = { width: 1120, height: 640 };

async function run(): Promise<void> {
  const data = temporaryFolder();
  // First, because the link of the stack works for a minute.
  const browser = await openBrowser();
  const { ready, stop } = await startStackProcess(data, { firstStart: true });
  try {
    await removeSubscriptions(ready);
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    page.setDefaultTimeout(300_000);
    await page.goto(ready.console);
    await page.getByRole('link', { name: 'Demo: full' }).waitFor();
    await page.goto(`${new URL(ready.console).origin}/console/#/usage`);
    await take(page, 'console', () => page.locator('.chart path').first().waitFor());
    await page.goto(new URL('/docs/createContact.html', ready.url).href);
    await take(page, 'reference', () =>
      page.getByRole('heading', { name: 'Create a contact' }).first().waitFor(),
    );
  } finally {
    await browser.close();
    await stop();
    removeFolder(data);
  }
}

/** Deletes the webhook subscription of the demo data, whose receiver fails on purpose: the first picture shows a healthy account. */
async function removeSubscriptions({ url, keys }: Ready): Promise<void> {
  const headers = { 'X-Api-Key': keys.full as string };
  const list = await fetch(`${url}/webhook-subscriptions`, { headers });
  const { data } = (await list.json()) as { data: { id: string }[] };
  for (const { id } of data) {
    const { status } = await fetch(`${url}/webhook-subscriptions/${id}`, { method: 'DELETE', headers });
    if (status !== 204) throw new Error(`The subscription ${id} was not deleted: ${status}`);
  }
}

/** @param show brings what is to be seen into the window */
async function take(page: Page, name: string, show: () => Promise<unknown>): Promise<void> {
  await show();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path });
    console.log(path);
  }
}

export const program = new OpsCommand('npm run screenshots --')
  .description('Take the pictures of the console and of the reference that README.md shows')
  .action(run);

if (import.meta.main) await program.main();
