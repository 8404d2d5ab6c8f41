import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..', '..');

/** The path of the Chrome of a machine for which no package has a browser. */
const chromePaths: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  linux: '/usr/bin/chromium',
};

/** Whether a browser is installed as a package, which is for Linux on x64. Adopters have none. */
export const hasBrowserPackage =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  existsSync(join(root, 'node_modules', '@sparticuz', 'chromium'));

export const machinesChrome: string = process.env.CHROME ?? chromePaths[process.platform] ?? 'chrome';

/** What few suites need and a machine may lack: the suites that need it, by their path and text, and how to get it. */
const needs = [
  ...Object.entries({
    client: /^test\/client\b/,
    openapiLint: /^test\/openapiLint\b/,
    product: /\b(?:givenPostgres|PostgresProduct|realPostgres)\b/,
    recheck: /'test\/recheck'/,
  }).map(([folder, needed]) => ({
    needed,
    isThere: existsSync(join(root, 'test', folder, 'node_modules', '.package-lock.json')),
    hint: `"npm run test:packages" installs the packages of test/${folder}`,
  })),
  {
    needed: /\b(?:useConsole|openBrowser|browserOfWorker)\b/,
    isThere: hasBrowserPackage || existsSync(machinesChrome),
    hint: 'CHROME=… names a Chrome or Chromium',
  },
];

/** How to get what a suite needs and the machine lacks; undefined when nothing is missing. @param file below the root */
export const missingFor = (file: string, text: string): string | undefined =>
  needs.find(({ needed, isThere }) => !isThere && (needed.test(file) || needed.test(text)))?.hint;

/** A package, or a module of one, of a folder with a lock file of its own. @throws Error when it is not installed */
export const packageOf = async <T>(folder: string, name: string): Promise<T> =>
  (await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href)) as T;
