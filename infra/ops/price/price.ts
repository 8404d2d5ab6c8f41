import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { parseDirectory } from '../start/options.ts';
import { type StageOptions, templatesOf } from '../synth.ts';
import { billOf, type Line, type Measured, type Traffic } from './bill.ts';
import { date, region } from './dollars.ts';
import { fixedCosts } from './fixed.ts';

// npm run price -- --reads 5M --writes 200k --events 1M

type Options = StageOptions & Traffic & { json?: boolean };

const factors: Record<string, number> = { '': 1, k: 1e3, M: 1e6 };

/** `5M`, `200k`, `1.5M` or `1000`. */
function parseTraffic(value: string): number {
  const [, count, factor] = /^(\d{1,12}(?:\.\d{1,3})?)([kM]?)$/.exec(value) ?? [];
  if (count === undefined || factor === undefined)
    throw new InvalidArgumentError('A count is a number, alone or with k or M, as in 5M, 200k or 1500.');
  return Number(count) * (factors[factor] as number);
}

/** What the bench `cost` has measured on a quiet machine. */
export const measured = (): Measured =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')) as Measured;

export const program = new OpsCommand('price')
  .description(
    'Print what a month costs, by line: the traffic by what the bench "cost" has measured, and what a stage costs without any by its ' +
      `templates. At the list prices of ${region} of ${date}, without free tiers, storage, backups, data transfer, CloudFront and taxes.`,
  )
  .option('--reads <count>', 'requests that read, half of them lists: 5M, 200k or 1500', parseTraffic, 0)
  .option('--writes <count>', 'requests that write, half of them creates', parseTraffic, 0)
  .option('--events <count>', 'events that are sent to a webhook subscription', parseTraffic, 0)
  .option('--messages <count>', 'messages of the inbox', parseTraffic, 0)
  .option('--stage <name>', 'the stage', 'prod')
  .option('--stages <folder>', 'where stages are kept, when it is not infra/stacks/stages', parseDirectory)
  .option('--json', 'print JSON')
  .action(price);

async function price({ json, ...options }: Options): Promise<void> {
  const { settings, templates } = await templatesOf(options);
  const traffic = billOf(options, measured(), settings);
  const fixed = fixedCosts(templates.values());
  if (json) console.log(JSON.stringify({ traffic, fixed }));
  else
    console.log(
      [...table(traffic), '', ...table(fixed), '', lineOf(total([...traffic, ...fixed]))].join('\n'),
    );
}

const dollarsOf = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);

const total = (lines: readonly Line[]): Line => ({ name: 'a month', dollars: dollarsOf(lines), of: '' });

const table = (lines: readonly Line[]): string[] => lines.map(lineOf);

const lineOf = ({ name, dollars, of }: Line): string =>
  `${name.padEnd(22)} ${`$${dollars.toFixed(2)}`.padStart(10)}   ${of}`.trimEnd();
