import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { hasBrowserPackage, machinesChrome } from '../run/packages.ts';

/** The browser of the tests. That of the package is unpacked first; two that unpack it at the same time would disturb each other. */
export const browserFile = async (): Promise<string> =>
  hasBrowserPackage ? chromium.executablePath() : machinesChrome;

/**
 * Starts a browser without a window. Its sandbox is off, because it does not work for root; it opens only our own pages.
 * @param args additional arguments
 */
export const openBrowser = async (args: readonly string[] = []): Promise<Browser> =>
  playwright.launch({ executablePath: await browserFile(), args: ['--no-sandbox', ...args] });

/** What the files of a worker have in common. */
const worker = globalThis as { browserOfTests?: Promise<Browser> };

/** The browser of this worker. It stays open for the files that come after, and ends with the worker. */
export function browserOfWorker(): Promise<Browser> {
  worker.browserOfTests ??= openBrowser();
  return worker.browserOfTests;
}
