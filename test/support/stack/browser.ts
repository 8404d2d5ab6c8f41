import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** The browser that `npm ci` brings, unpacked. Two that unpack it at the same time would disturb each other. */
export const browserFile = (): Promise<string> => chromium.executablePath();

/**
 * Starts a browser without a window: on Linux the one that `npm ci` brings, elsewhere the Chrome of the machine. Its
 * sandbox is off, because it does not work for root; it opens only our own pages.
 * @param args additional arguments
 */
export const openBrowser = async (args: readonly string[] = []): Promise<Browser> =>
  process.platform === 'linux'
    ? playwright.launch({ executablePath: await browserFile(), args: ['--no-sandbox', ...args] })
    : playwright.launch({ channel: 'chrome', args: [...args] });
