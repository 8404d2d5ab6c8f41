import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import project from '../../../package.json' with { type: 'json' };
import { noProgress } from '../../terminal/progress.ts';
import { freePort } from '../process/freePort.ts';
import { damagedFile, isDamage, StartError } from '../process/startError.ts';

export interface Database {
  endpoint: string;
  file: string;
  /** Resolves with the reason if the database ends although `stop` was not called. */
  broken: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the embedded database with its file in `folder`. @throws StartError if it does not start */
export const openDatabase = (folder: string, report = noProgress): Promise<Database> =>
  report('Starting the embedded database', () => startEmbedded(join(folder, 'dynamodb.sqlite')));

/**
 * A shell that ends the database when this process ends, even by kill -9. The shell's standard input then closes, and `cat` returns. Otherwise,
 * the database would keep running and keep its file locked. SIGKILL follows after a second, because the database waits for open connections at
 * SIGTERM. The shell ends with the database.
 */
const watchdog =
  'exec 3<&0; "$0" "$@" </dev/null & p=$!; { cat <&3; kill $p; sleep 1; kill -9 $p; } >/dev/null 2>&1 & wait $p';

async function startEmbedded(file: string): Promise<Database> {
  const host = randomLoopbackHost();
  // The database cannot choose a port itself.
  const port = await freePort();
  const endpoint = `http://${host}:${port}`;
  const binary = databaseBinary(process.platform, process.arch, import.meta.url);
  const server = ['serve', '--host', host, '--port', String(port), '--db-path', file];
  // Its own process group, because Ctrl-C in the terminal must not end the database while running requests still need it.
  const child = spawn('sh', ['-c', watchdog, binary, ...server], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  let stopping = false;
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    child
      .once('exit', () => resolve())
      .once('error', ({ message }) => {
        output += message;
        resolve();
      });
  }).then(() => {
    ended = true;
  });
  await waitForHttp(endpoint, () => ended).catch(() => {
    if (isDamage(output)) throw damagedFile(file);
    const [first] = output.trim().split('\n');
    throw new StartError(`The embedded database did not start: ${first || 'it printed nothing'}`);
  });
  return {
    endpoint,
    file,
    broken: new Promise((resolve) => {
      void exited.then(() => stopping || resolve(`The embedded database has ended: ${output.trim()}`));
    }),
    stop: async () => {
      stopping = true;
      child.stdin.end();
      await exited;
    },
  };
}

/**
 * Returns a random address of the loopback interface. The database has no authentication, and responds to web pages of any site. Linux has 16
 * million loopback addresses, so no page finds this one. Other users of the machine find it in /proc/net/tcp. Other systems have one loopback
 * address, and a page that tries all ports finds the database there.
 */
const randomLoopbackHost = (): string =>
  process.platform === 'linux'
    ? ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.')
    : '127.0.0.1';

/** How long the start may take, even on a busy machine. */
const startMs = 60_000;

/** Resolves when a server answers HTTP at the endpoint. Rejects after `startMs`, or at once if `hasEnded` is true. */
async function waitForHttp(endpoint: string, hasEnded: () => boolean): Promise<void> {
  for (const signal = AbortSignal.timeout(startMs); ; ) {
    try {
      await fetch(endpoint, { signal });
      return;
    } catch (error) {
      if (hasEnded() || signal.aborted) throw error;
      await sleep(10);
    }
  }
}

/** Returns the path of the embedded database's executable. @throws StartError if there is none, with a message that says how to get one */
export function databaseBinary(platform: string, arch: string, from: string): string {
  const name = `@dynoxide/${platform}-${arch}`;
  const version = (project.optionalDependencies as Record<string, string>)[name];
  if (version === undefined)
    throw new StartError(
      `There is no embedded database for ${platform} on ${arch}, only for Linux and macOS on x64 and arm64. On Windows, use WSL.`,
    );
  try {
    const file = join(createRequire(from).resolve(`${name}/package.json`), '..', 'dynoxide');
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    // npm does not report an optional package that its registry lacks.
    throw new StartError(
      `The embedded database ${name} is not installed. Install it with "npm ci", or, if the registry that npm uses does not have it, with "npm install --no-save --registry https://registry.npmjs.org ${name}@${version}".`,
    );
  }
}
