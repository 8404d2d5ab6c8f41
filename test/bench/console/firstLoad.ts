import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { consolePageFiles } from '../../../infra/console/pageFiles.ts';
import { createLink } from '../../../lib/console/sessions/link.ts';
import { givenKeys } from '../../support/console/givenConsole.ts';
import { givenAccount } from '../../support/data/given.ts';
import { openBrowser } from '../../support/stack/browser.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { type Report, rounded } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { compressing } from './compressing.ts';

const runs = 15;

/** A slow phone on a slow network. */
const slow = { cpu: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 };

/** In the page: resolves when its first key is drawn, with the milliseconds since the navigation began. */
const noteFirstKey = `window.shownAfter = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('tbody tr')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true });
});`;

/** How much the console loads before it is shown, and how long a person waits for the keys after a click on a link. */
export async function firstLoad({ ready }: StackProcess): Promise<Report> {
  const account = givenAccount();
  await givenKeys(account);
  const [browser, front] = await Promise.all([openBrowser(), compressing(ready.url)]);
  try {
    const times: Record<'usual' | 'slow', number[]> = { usual: [], slow: [] };
    for (let run = 0; run < runs; run += 1)
      for (const kind of ['usual', 'slow'] as const)
        times[kind].push(await keysShownAfter(browser, await linkTo(front.url, account), kind === 'slow'));
    return report(await sizes(), times);
  } finally {
    await Promise.all([browser.close(), front.close()]);
  }
}

async function linkTo(base: string, account: string): Promise<string> {
  const { url } = await createLink(
    { account, actor: { id: 'bench', name: 'Bench' }, role: 'admin' },
    undefined,
  );
  return new URL('/console/', base).href + new URL(url).hash;
}

async function keysShownAfter(browser: Browser, link: string, isSlow: boolean): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(noteFirstKey);
  if (isSlow) {
    const session = await context.newCDPSession(page);
    const { cpu, latencyMs: latency, bytesPerSecond } = slow;
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }
  await page.goto(link);
  await page.locator('tbody tr').first().waitFor();
  const after = await page.evaluate<number>('window.shownAfter');
  await context.close();
  return after;
}

interface Sizes {
  script: number;
  style: number;
  later: number;
}

/** Compressed by brotli, as CloudFront serves them, in bytes. */
async function sizes(): Promise<Sizes> {
  const files = await consolePageFiles();
  const html = files.find(({ name }) => name === 'index.html')?.content ?? '';
  const sum = (ending: string, isFirst: boolean) =>
    files
      .filter(({ name }) => name.endsWith(ending) && html.includes(name) === isFirst)
      .reduce((bytes, { content }) => bytes + brotliCompressSync(content).length, 0);
  return { script: sum('.js', true), style: sum('.css', true), later: sum('.js', false) };
}

const report = (bytes: Sizes, times: Record<'usual' | 'slow', number[]>): Report => ({
  title: 'The console: from the click on a link to the keys',
  columns: ['', 'Script', 'Style', 'Script of the other views', 'Keys shown after', 'on a slow phone'],
  rows: [
    [
      'first load',
      `${rounded(bytes.script)} B`,
      `${rounded(bytes.style)} B`,
      `${rounded(bytes.later)} B`,
      `${rounded(median(times.usual))} ms`,
      `${rounded(median(times.slow))} ms`,
    ],
  ],
  notes: [
    `Sizes are compressed by brotli. Times are the median of ${runs}, with nothing in the cache, the exchange of the code included. The slow phone has a CPU ${slow.cpu} times slower, 1.6 Mbit/s and ${slow.latencyMs} ms.`,
  ],
  raw: { bytes, times },
});
