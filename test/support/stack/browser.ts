import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Starts a browser without a window: on Linux the one that `npm ci` brings, elsewhere the Chrome of the machine. Its
 * own sandbox is off, which root has not; it opens only pages of ours.
 * @param args more of its command line
 */
export const openBrowser = async (args: readonly string[] = []): Promise<Browser> =>
  process.platform === 'linux'
    ? playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', ...args] })
    : playwright.launch({ channel: 'chrome', args: [...args] });
