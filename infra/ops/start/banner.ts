import { resolve } from 'node:path';
import type { CreatedLink } from '../../../lib/console/consoleLinks.ts';
import type { LocalStack } from '../../local/stack.ts';
import type { Demo } from '../demo/demo.ts';
import { defaultData } from './options.ts';

/** The line that `--json` prints. */
export const readyLine = (url: string, { account, keys }: Demo, { url: console }: CreatedLink): string =>
  JSON.stringify({ url, account, keys, console });

/** The text that `npm start` prints without `--json`. */
export function banner(
  { description: running, dataFolder }: LocalStack,
  { account, keys }: Demo,
  link: CreatedLink,
): string {
  const data = dataFolder === resolve(defaultData) ? '' : ` --data ${dataFolder}`;
  const width = Math.max(...Object.keys(keys).map((name) => name.length));
  return [
    '',
    `The API is at        ${running.url}`,
    `Its reference is at  ${new URL('/docs', running.url)}`,
    `The demo account is  ${account}`,
    `Data is kept in      ${dataFolder}`,
    '',
    'Keys of the demo account:',
    ...Object.entries(keys).map(([name, key]) => `  ${name.padEnd(width)}  ${key}`),
    '',
    'Settings > Integrations, where an account makes its keys, opens once and within a minute at',
    `  ${link.url}`,
    `Another link: npm run console -- --account ${account}${data}`,
    '',
    'Try:',
    `  curl -s '${running.url}/contacts?limit=2' -H 'X-Api-Key: ${keys['contacts:read']}'`,
    '',
    'Press Ctrl-C to stop the local stack.',
    '',
  ].join('\n');
}
