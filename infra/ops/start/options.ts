import { InvalidArgumentError } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';

export interface Options {
  port: number;
  data: string;
  fresh: boolean;
  json: boolean;
}

function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 chooses a free one.');
  return port;
}

export function parseDirectory(value: string): string {
  if (value === '') throw new InvalidArgumentError('A directory must have a name; "." is the current one.');
  return value;
}

/** The data directory of `npm start`, and of the commands that look for a local stack. */
export const defaultData = '.local';

export const startCommand = (start: (options: Options) => Promise<void>): OpsCommand =>
  new OpsCommand('npm start --')
    .description('Run the whole system on this machine, from the template that is deployed')
    .option('--port <number>', 'the port of the API on 127.0.0.1', parsePort, 3000)
    .option('--data <directory>', 'where data is kept between starts', parseDirectory, defaultData)
    .option('--fresh', 'delete the data in the data directory and start with new demo data', false)
    .option('--json', 'print one line of JSON when ready, and nothing else on standard output', false)
    .action(start);
