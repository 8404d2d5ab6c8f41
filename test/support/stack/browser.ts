import { join } from 'node:path';
import { type Browser, chromium as playwright } from 'playwright-core';
import { packageOf } from '../run/packages.ts';
import { root } from './stackProcess.ts';

/** What this file uses of the package with the browser. */
interface Chromium {
  default: { executablePath(): Promise<string> };
}

/** The browser of `test/browser`, installed and unpacked. Two that unpack it at the same time would disturb each other. */
export async function browserFile(): Promise<string> {
  const chromium = await packageOf<Chromium>(join(root, 'test/browser'), '@sparticuz/chromium');
  return chromium.default.executablePath();
}

/**
 * Starts a browser without a window: on Linux the one of `test/browser`, elsewhere the Chrome of the machine. Its
 * sandbox is off, because it does not work for root; it opens only our own pages.
 * @param args additional arguments
 */
export const openBrowser = async (args: readonly string[] = []): Promise<Browser> =>
  process.platform === 'linux'
    ? playwright.launch({ executablePath: await browserFile(), args: ['--no-sandbox', ...args] })
    : playwright.launch({ channel: 'chrome', args: [...args] });

/** What the files of a worker have in common. */
const worker = globalThis as { browserOfTests?: Promise<Browser> };

/** The browser of this worker. It stays open for the files that come after, and ends with the worker. */
export function browserOfWorker(): Promise<Browser> {
  worker.browserOfTests ??= openBrowser();
  return worker.browserOfTests;
}
