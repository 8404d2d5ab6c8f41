import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Starts a browser without a window: on Linux the one that `npm ci` brings, elsewhere the Chrome of the machine. Its
 * sandbox is off, because it does not work for root; it opens only our own pages.
 * @param args additional arguments
 */
export const openBrowser = async (args: readonly string[] = []): Promise<Browser> =>
  process.platform === 'linux'
    ? playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', ...args] })
    : playwright.launch({ channel: 'chrome', args: [...args] });
