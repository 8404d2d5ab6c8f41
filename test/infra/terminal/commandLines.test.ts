import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, CommanderError, type Option } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { opsProgram } from '../../../infra/ops/ops.ts';
import { OpsCommand } from '../../../infra/terminal/command.ts';
import { newKey } from '../../../lib/keys/format.ts';
import { newSecret } from '../../../lib/webhooks/model/secrets.ts';
import { sampleOf } from '../../support/run/sample.ts';
import { root, scriptCommand } from '../../support/stack/stackProcess.ts';

// Goes over all command lines there are. A new script of package.json that runs a program of ours is among them.

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Scripts that run a program of ours. */
const ours = Object.entries(scripts).flatMap(([script, line]) => {
  const [, file] =
    /^(?:STARTED_BY=\$PPID )?(?:exec )?node (?:--\S+ \S+\.cjs )?((?!node_modules)\S+\.ts)/.exec(line) ?? [];
  return file === undefined ? [] : [{ script, file, line }];
});

/** The program of `npm run ops`, and of the short names of some of its commands. */
const ops = 'infra/ops/ops.ts';

const programs = new Map<string, OpsCommand>();
beforeAll(async () => {
  for (const { file } of ours)
    if (file === ops) programs.set(ops, await opsProgram([]));
    else programs.set(file, (await import(join(root, file))).program);
});

/** A command and those below it, with the words that lead to it. */
const within = (command: OpsCommand, words: string[] = []): { command: OpsCommand; words: string[] }[] => [
  { command, words },
  ...command.commands.flatMap((one) => within(one as OpsCommand, [...words, one.name()])),
];
const everyCommand = () =>
  [...programs.values()].flatMap((program) => within(program).map((one) => ({ program, ...one })));
const everyLeaf = () => everyCommand().filter(({ command }) => command.commands.length === 0);

/** What a command says to a command line, and whether it would have run. */
function answerTo(
  program: OpsCommand,
  args: string[],
): { output: string; code: number | undefined; ran: boolean } {
  let output = '';
  let ran = false;
  for (const { command } of within(program)) {
    const write = (text: string) => {
      output += text;
    };
    command.exitOverride().configureOutput({ writeErr: write, writeOut: write });
    if (command.commands.length === 0)
      command.action(() => {
        ran = true;
      });
  }
  try {
    program.parse(args, { from: 'user' });
    return { output, code: undefined, ran };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { output, code: error.exitCode, ran };
  }
}

const candidates = [
  'acme',
  '1',
  'https://example.com',
  'http://127.0.0.1:4000',
  '7d',
  '2999-01-01T00:00:00Z',
  'orders:read',
  'order.paid',
  'orders',
];

/** A value that an option or an argument takes. */
function valueFor(one: Option | Argument): string {
  const { argChoices, parseArg } = one;
  const takes = (value: string) => {
    try {
      parseArg?.(value, undefined as never);
      return true;
    } catch {
      return false;
    }
  };
  const value = (argChoices ?? candidates).find(takes);
  if (value === undefined) throw new Error(`none of the candidates here is taken by ${one.name()}`);
  return value;
}

const asWritten = (option: Option): string[] =>
  option.required ? [option.long as string, valueFor(option)] : [option.long as string];

/** A command line that is good. */
const goodLine = (command: OpsCommand, without?: Option): string[] => [
  ...command.registeredArguments.filter(({ required }) => required).map(valueFor),
  ...command.options.filter((option) => option.mandatory && option !== without).flatMap(asWritten),
];

const isRepeatable = ({ long }: Option): boolean => long === '--scope';

test('every script of the project is an OpsCommand, which accepts only what it declares', () => {
  expect(ours.map(({ script }) => script)).toEqual(
    expect.arrayContaining(['start', 'keys', 'examples', 'bench']),
  );
  for (const { script, file } of ours)
    for (const { command } of within(programs.get(file) as OpsCommand))
      expect(command, script).toBeInstanceOf(OpsCommand);
});

describe('a signal for npm, and the end of npm, reach', () => {
  test.each(ours)('the command of npm run $script', ({ line }) => {
    expect(line).toMatch(/^STARTED_BY=\$PPID exec node --require \.\/infra\/requirements\.cjs \S+\.ts\b/);
  });

  test('every other script that runs Node: its shell does not stay between npm and Node', () => {
    for (const [script, line] of Object.entries(scripts))
      if (/(?<![\w/-])node(?![\w-])/.test(line) && !line.startsWith('cdk '))
        expect(line, script).toMatch(/\bexec node /);
  });
});

test('a valid command line of each would run', () => {
  for (const { program, command, words } of everyLeaf())
    expect(answerTo(program, [...words, ...goodLine(command)]), words.join(' ')).toEqual({
      output: '',
      code: undefined,
      ran: true,
    });
});

/** In one sentence that says what is allowed, and nothing was done. */
function expectRefused(program: OpsCommand, args: string[], why: RegExp): void {
  const { output, code, ran } = answerTo(program, args);
  const line = `${program.name()} ${args.join(' ')}`;
  expect(output, line).toMatch(why);
  expect(output, line).toMatch(/^error: [^\n]+\n$/);
  expect([code, ran], line).toEqual([1, false]);
}

describe('every command refuses', () => {
  test.each(['--no-such-option', '--no-such-option=x', '-x'])(
    'the option %s, and says which there are',
    (unknown) => {
      for (const { program, command, words } of everyLeaf())
        expectRefused(
          program,
          [...words, ...goodLine(command), unknown],
          new RegExp(`unknown option '${unknown}'.*; "${[program.name(), ...words].join(' ')}" takes `),
        );
    },
  );

  test('an option that is given twice, unless it is repeatable', () => {
    for (const { program, command, words } of everyLeaf())
      for (const option of command.options) {
        const args = [...words, ...goodLine(command, option), ...asWritten(option), ...asWritten(option)];
        if (isRepeatable(option)) expect(answerTo(program, args).ran).toBe(true);
        else expectRefused(program, args, /must be given once at most/);
      }
  });
});

describe('no command shows', () => {
  const places = (command: OpsCommand, secret: string): string[][] => [
    ...command.options
      .filter(({ required }) => required)
      .map((option) => [...goodLine(command, option), option.long as string, secret]),
    ...command.options.map((option) => [...goodLine(command, option), `${option.long}=${secret}`]),
    [...goodLine(command), secret],
    [secret, ...goodLine(command)],
    [...goodLine(command), `--${secret}`],
    [...goodLine(command), `--no-such-option=${secret}`],
    [...goodLine(command), `-${secret}`],
  ];

  test.each([
    ['an API key', newKey('live')],
    ['a part of one', newKey('test').slice(0, 20)],
    ['the secret of a webhook', newSecret()],
  ])('%s anywhere in its command line, and none runs with it', (_, secret) => {
    for (const { program, command, words } of everyCommand())
      for (const args of places(command, secret)) {
        const { output, ran } = answerTo(program, [...words, ...args]);
        expect(ran).toBe(false);
        expect(output).toMatch(
          /^error: an argument holds an API key or the secret of a webhook, where only ids are allowed [^\n]+\n$/,
        );
        expect(output).not.toContain(secret);
      }
  });

  test('an argument with the characters that control a terminal, only their escapes', () => {
    for (const { program, command, words } of everyCommand())
      for (const args of places(command, 'a\u001b[2J\u009b\u202e\n')) {
        const { output } = answerTo(program, [...words, ...args]);
        expect(output.replace(/\n$/, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
  });
});

test.each(sampleOf(ours, { name: 'scripts', count: 4 }))('npm run $script is that program', ({ script }) => {
  const [node, ...args] = scriptCommand(script);
  const { status, stdout, stderr } = spawnSync(node, [...args, '--no-such-option'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toMatch(
    /^error: unknown option [^\n]*; "npm (?:run )?\w+(?: --)?(?: [\w-]+)*" takes [^\n]+\n$/,
  );
  expect([status, stdout]).toEqual([1, '']);
});
