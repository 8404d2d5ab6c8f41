import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { notesFile } from '../permissions/note.ts';

export const root = join(import.meta.dirname, '../../..');

/** Ends a group of processes that a failed test has left running. */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The output of a stack with --json. */
export interface Ready {
  url: string;
  account: string;
  keys: Record<string, string>;
  /** A link to the console of the account, which works once and for a minute. */
  console: string;
}

export interface StackProcess {
  ready: Ready;
  /** The content of stack.json in the data directory. */
  description: StackDescription;
  folder: string;
  process: ChildProcess;
  /** The end of its standard error so far. */
  output(): string;
  /** Ends it as Ctrl-C does. @returns the exit code */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'public-api-'));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/**
 * A copy of the project with links to its packages.
 * @param without a package that is missing in it
 * @param assembly the project's current assembly, where the copy need not make it again
 * @param emptyFunctions whether its functions do nothing, which takes a tenth of the time to bundle
 */
export function copyProject(
  copy: string,
  {
    without,
    assembly,
    emptyFunctions = false,
  }: { without?: string; assembly?: string; emptyFunctions?: boolean } = {},
): string {
  for (const name of ['infra', 'lib', 'functions', 'package.json', 'package-lock.json', 'cdk.json', 'docs'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  if (emptyFunctions)
    for (const file of globSync('functions/**/*.ts', { cwd: copy }))
      writeFileSync(join(copy, file), 'export const handler = () => {};\n');
  if (assembly !== undefined)
    cpSync(assembly, join(copy, 'build', 'local', basename(assembly)), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== without) symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  return copy;
}

/** The command line of a script of package.json, so that tests start the same program as people. */
export function scriptCommand(name: string): [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, ...args] = (scripts[name] as string).replace(/^(?:STARTED_BY=\$PPID )?exec /, '').split(' ');
  return [process.execPath, ...args];
}

/**
 * The arguments of Node with which the Lambdas of a started stack note their requests to AWS, if there is a file for
 * the notes.
 */
const noting = (): string[] =>
  process.env[notesFile] === undefined
    ? []
    : ['--import', pathToFileURL(join(import.meta.dirname, '../permissions/noteLambdas.ts')).href];

/**
 * The environment variable that names a data directory with the demo data. When it is not set, each first start makes
 * the demo data.
 */
export const demoDataFolder = 'DEMO_DATA_FOLDER';

/** Puts the demo data into a data directory that is empty. */
export function copyDemoData(folder: string): void {
  const demoData = process.env[demoDataFolder];
  if (demoData) cpSync(demoData, folder, { recursive: true });
}

/** The most that is kept of the standard error of a stack, in characters: one that runs for hours prints a line for each request. */
const outputMax = 200_000;

/**
 * Starts the local stack on a free port and waits until it is ready.
 * @param firstStart whether an empty folder stays empty; otherwise the demo data is copied into it
 * @param detached whether Ctrl-C in the terminal leaves it running
 */
export async function startStackProcess(
  folder: string,
  {
    args = [],
    env = {},
    node = [],
    cwd = root,
    firstStart = false,
    detached = false,
  }: {
    args?: string[];
    env?: Record<string, string>;
    node?: string[];
    cwd?: string;
    firstStart?: boolean;
    detached?: boolean;
  } = {},
): Promise<StackProcess> {
  if (!firstStart && existsSync(folder) && readdirSync(folder).length === 0) copyDemoData(folder);
  const [command, ...script] = scriptCommand('start');
  // A copy may have other functions than this project.
  const all = [
    ...(cwd === root ? noting() : []),
    ...node,
    ...script,
    '--port',
    '0',
    '--data',
    folder,
    '--json',
    ...args,
  ];
  const child = spawn(command, all, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
    if (output.length > 2 * outputMax) output = output.slice(-outputMax);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    exited.then((code) => {
      throw new Error(`The local stack ended with ${code}: ${output}`);
    }),
  ]);
  return {
    ready: JSON.parse(line) as Ready,
    description: JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as StackDescription,
    folder,
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
