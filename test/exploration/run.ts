import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Argument } from 'commander';
import { OpsCommand } from '../../infra/terminal/command.ts';
import type { Exploration, Line } from './explore.ts';
import { type Protocol, protocols } from './guards.ts';

// npm run explore -- [options]

interface ExploreOptions {
  guards: boolean;
}

/** Explores in a process of its own. @throws Error when the exploration itself fails */
function explore(exploration: Exploration): Line[] {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'explore.ts'), JSON.stringify(exploration)],
    { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The exploration of ${exploration.protocol} ended with ${status}`);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const amount = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;

const limitsOf = ({ limits: { faults, stalls, switches } }: Line): string =>
  [
    amount(faults, 'fault'),
    amount(stalls, 'stall'),
    ...(switches === undefined ? [] : [switches === 1 ? '1 switch' : `${switches} switches`]),
  ].join(', ');

/** Of hashes and random ids, the beginning tells enough. */
const print = (text: string, by = 0): void =>
  console.log(`${' '.repeat(by)}${text.replaceAll(/[0-9a-z]{15,}/g, (id) => `${id.slice(0, 4)}…`)}`);

function printViolation({ violation }: Line): void {
  print(violation?.message ?? '', 6);
  for (const [i, step] of (violation?.schedule ?? []).entries()) print(`${i + 1}. ${step}`, 8);
}

/** @returns whether every promise holds */
function exploreProtocol({ name }: Protocol): boolean {
  print(name);
  const lines = explore({ protocol: name });
  for (const line of lines) {
    const { scenario, actors, states, runs, depth, cpuSeconds, violation } = line;
    print(`${scenario}: ${actors} actors, at most ${limitsOf(line)}`, 2);
    print(`${states} states, ${runs} runs of at most ${depth} steps, ${cpuSeconds.toFixed(1)} s of CPU`, 4);
    if (violation) printViolation(line);
  }
  return lines.every(({ violation }) => !violation);
}

/** @returns whether a violation was found without each guard */
function takeOutGuards({ name, guards }: Protocol): boolean {
  const found = guards.map((one, guard) => {
    const [line] = explore({ protocol: name, guard });
    print(`without: ${one.name}`, 2);
    if (!line) print('NO VIOLATION WAS FOUND', 4);
    else {
      print(`${line.scenario}, at most ${limitsOf(line)}, after ${line.states} states:`, 4);
      printViolation(line);
    }
    return line !== undefined;
  });
  return !found.includes(false);
}

export const program = new OpsCommand('npm run explore --')
  .description(
    'Let several actors of a protocol happen in every order, with the real code of lib and a database in memory, and with what may fail. ' +
      'It fails when a promise does not hold, or when it finds no violation although a guard of the protocol was taken out',
  )
  .addArgument(
    new Argument('[protocols...]', 'which protocols; without it, all').choices(
      protocols.map(({ name }) => name),
    ),
  )
  .option('--no-guards', 'do not explore without each guard')
  .action((names: string[], { guards }: ExploreOptions) => {
    const chosen = protocols.filter(({ name }) => names.length === 0 || names.includes(name));
    const right = chosen.map(
      (protocol) => [exploreProtocol(protocol), !guards || takeOutGuards(protocol)] as const,
    );
    if (right.flat().includes(false)) process.exitCode = 1;
  });

if (import.meta.main) await program.main();
