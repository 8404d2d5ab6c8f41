import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noProgress } from '../process/progress.ts';
import { StartError } from '../process/startError.ts';
import { databaseBinary } from './databaseBinary.ts';

export interface Database {
  endpoint: string;
  /** The SQLite file of the embedded database; undefined when the data is in another DynamoDB-compatible server. */
  file?: string;
  /** Resolves, with the reason, when the database is no more though nobody stopped it. */
  broken: Promise<string>;
  stop(): Promise<void>;
}

/**
 * The embedded database with its file in `folder`, or the server that DYNAMODB_ENDPOINT names.
 * @throws StartError when there is none
 */
export async function openDatabase(folder: string, say = noProgress): Promise<Database> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  if (!endpoint) {
    say('Starting the embedded database');
    return startEmbedded(join(folder, 'dynamodb.sqlite'));
  }
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new StartError(
      `DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000, and is ${endpoint}.`,
    );
  say('Waiting for the database at DYNAMODB_ENDPOINT');
  await waitForHttp(endpoint, () => false).catch(() => {
    throw new StartError(`No DynamoDB answers at DYNAMODB_ENDPOINT, which is ${endpoint}.`);
  });
  return { endpoint, broken: new Promise(() => {}), stop: async () => {} };
}

/**
 * Ends the database when this process ends, by kill -9 too: the shell's standard input then closes, and what reads it
 * kills the database, which would otherwise stay behind and hold the file. Gently at first, and then for good: the
 * database waits for whoever has a connection open. The shell ends together with the database.
 */
const watchdog =
  'exec 3<&0; "$0" "$@" </dev/null & p=$!; { cat <&3; kill $p; sleep 1; kill -9 $p; } >/dev/null 2>&1 & wait $p';

async function startEmbedded(file: string): Promise<Database> {
  const host = randomLoopbackHost();
  const port = await freePort();
  const endpoint = `http://${host}:${port}`;
  const binary = databaseBinary(process.platform, process.arch, import.meta.url);
  const server = ['serve', '--host', host, '--port', String(port), '--db-path', file];
  // A group of its own: Ctrl-C in the terminal must reach us first, while requests under way still need the database.
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
    throw new StartError(`The embedded database did not start: ${output.trim() || 'it said nothing'}`);
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
 * One of the 16 million addresses of the loopback interface, which Linux has all of. The database asks nobody who he is,
 * and answers pages of any site: this way no page finds it, and it costs nothing. Other users of the machine do: they see
 * in /proc/net/tcp who listens where. Elsewhere the interface has one address, and a page that tries all ports finds it.
 */
const randomLoopbackHost = (): string =>
  process.platform === 'linux'
    ? ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.')
    : '127.0.0.1';

/** A port that was free a moment ago. The database cannot choose one itself and say which. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const startTimeoutMs = 5000;

/** Resolves when something speaks HTTP at an address; rejects when nothing did for a while, or `dead` says that nothing will. */
async function waitForHttp(endpoint: string, dead: () => boolean): Promise<void> {
  for (const start = Date.now(); ; ) {
    try {
      await fetch(endpoint, { signal: AbortSignal.timeout(startTimeoutMs) });
      return;
    } catch (error) {
      if (dead() || Date.now() - start > startTimeoutMs) throw error;
      await sleep(10);
    }
  }
}
