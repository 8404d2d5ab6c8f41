import type { Demo } from '../../ops/demo/demo.ts';
import type { LocalStack } from '../stack.ts';

/** The line that `--json` prints. */
export const readyLine = (url: string, { account, keys }: Demo): string =>
  JSON.stringify({ url, account, keys });

/** The text that `npm start` prints without `--json`. */
export function banner(
  { description: running, dataLocation: dataIn }: LocalStack,
  { account, keys }: Demo,
): string {
  const width = Math.max(...Object.keys(keys).map((name) => name.length));
  return [
    '',
    `The API is at        ${running.url}`,
    `Its reference is at  ${new URL('/docs', running.url)}`,
    `The demo account is  ${account}`,
    `Data is kept in      ${dataIn}`,
    '',
    'Keys of the demo account:',
    ...Object.entries(keys).map(([name, key]) => `  ${name.padEnd(width)}  ${key}`),
    '',
    'Try:',
    `  curl -s '${running.url}/contacts?limit=2' -H 'X-Api-Key: ${keys['contacts:read']}'`,
    '',
    'Press Ctrl-C to stop the local stack.',
    '',
  ].join('\n');
}
