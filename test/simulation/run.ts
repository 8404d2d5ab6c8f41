import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { OpsCommand } from '../../infra/ops/command.ts';
import type { Distance } from './latencies.ts';
import type { Load } from './race.ts';

// npm run simulate -- [options]

/** The loads of a simulation: one for each count of writers and each seed. */
export interface SimulationOptions extends Omit<Load, 'writers' | 'seed'> {
  writers: number[];
  seeds: number;
}

function parseNumber(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('Give a number.');
  return Number(text);
}

const parseNumbers = (text: string): number[] => text.split(',').map(parseNumber);
const parseDistance = (text: string): Distance => (text === 'aws' ? 'aws' : parseNumber(text));

export const program = new OpsCommand('npm run simulate --')
  .description(
    'Let many create in one account at once: the real code of lib/records, in virtual time, with a database in memory that has the ' +
      'latencies, the conflicts and the limits of DynamoDB. It fails when a record is missing, is there twice, or leaves a hole',
  )
  .addOption(
    new Option('--writers <counts>', 'several counts of writers, with commas')
      .argParser(parseNumbers)
      .default([1, 2, 4, 10, 50, 200], '1,2,4,10,50,200'),
  )
  .option('--seconds <seconds>', 'how long each load lasts, in virtual time', parseNumber, 6)
  .option('--distance <distance>', 'aws, or the milliseconds of every call', parseDistance, 'aws')
  .option('--think-ms <ms>', 'milliseconds between two creates of a writer', parseNumber, 0)
  .option('--deaths <share>', 'the part of creates and bulks that die at one of their calls', parseNumber, 0)
  .option('--bulks <count>', 'processes that append bulks of 100', parseNumber, 0)
  .option('--seeds <count>', 'how many runs of each, with other random numbers', parseNumber, 1)
  .option('--external-ids', 'give each contact an external id', false)
  .action((options: SimulationOptions) => {
    const file = join(import.meta.dirname, 'simulate.ts');
    const { status } = spawnSync(process.execPath, [file, JSON.stringify(options)], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  });

if (import.meta.main) await program.main();
