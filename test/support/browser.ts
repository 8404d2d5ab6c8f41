import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * Starts a browser without a window: on Linux the one that `npm ci` brings, elsewhere the Chrome of the machine. Its
 * own sandbox is off, which root has not; it opens only pages of ours.
 */
export const openBrowser = async (): Promise<Browser> =>
  process.platform === 'linux'
    ? playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] })
    : playwright.launch({ channel: 'chrome' });
