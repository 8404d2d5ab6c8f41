import { join } from 'node:path';
import { OpsCommand } from '../terminal/command.ts';
import { outputsOf, runningStack, type Target, targetOptions } from './connection.ts';

// npm run -s ops -- env > .local/product.env

export const program = targetOptions(new OpsCommand('env'))
  .description(
    'Print the settings with which the programs of test/product reach a stack, for a shell. The addresses of a local stack are new after each start.',
  )
  .action(print);

async function print({ stack, data, json }: Target): Promise<void> {
  const settings = stack === undefined ? await localSettings(data) : await deployedSettings(stack);
  if (json) return console.log(JSON.stringify(settings));
  const exports = Object.entries(settings).map(([name, value]) => `export ${name}=${value}`);
  if (stack === undefined)
    exports.unshift(
      'unset AWS_PROFILE AWS_DEFAULT_PROFILE AWS_USE_FIPS_ENDPOINT AWS_USE_DUALSTACK_ENDPOINT AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
      // A value that the shell already sets takes precedence.
      `export DATABASE="\${DATABASE:-${join(data, 'product.sqlite')}}"`,
    );
  console.log(exports.join('\n'));
}

async function localSettings(data: string): Promise<Record<string, string>> {
  const running = await runningStack(data);
  return {
    INBOX_URL: running.recordsInboxUrl,
    OUTBOX_URL: running.recordsOutboxUrl,
    ASK_RECORDS_FUNCTION: running.askRecordsFunction,
    CONSOLE_LINK_FUNCTION: running.consoleLinkFunction,
    AWS_ENDPOINT_URL_SQS: running.queuesEndpoint,
    AWS_ENDPOINT_URL_LAMBDA: running.controlEndpoint,
    AWS_REGION: running.region,
    AWS_DEFAULT_REGION: running.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: running.controlToken,
    AWS_CONFIG_FILE: '/dev/null',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  };
}

async function deployedSettings(stack: string): Promise<Record<string, string>> {
  const [outputs, ofConsole] = await Promise.all([
    outputsOf(stack),
    outputsOf(`${stack}-console`).catch(() => new Map<string, string>()),
  ]);
  const settings = {
    INBOX_URL: outputs.get('RecordsInboxUrl'),
    OUTBOX_URL: outputs.get('RecordsOutboxUrl'),
    ASK_RECORDS_FUNCTION: outputs.get('AskRecordsFunction'),
    CONSOLE_LINK_FUNCTION: ofConsole.get('ConsoleLinkFunction'),
  };
  return Object.fromEntries(
    Object.entries(settings).filter((setting): setting is [string, string] => setting[1] !== undefined),
  );
}
