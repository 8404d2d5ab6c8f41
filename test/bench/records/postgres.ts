import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

// PostgreSQL as the machine has it, on a Unix socket in a folder of its own.

export interface Postgres {
  /** The lines of the answer. */
  query(sql: string): Promise<string[]>;
  /** Fills a table from rows in the text format of COPY. */
  copy(table: string, rows: Iterable<string>): Promise<void>;
  stop(): Promise<void>;
}

/** It refuses to run as root, so then it runs as nobody. */
const nobody = 65534;
const asUser: SpawnOptions = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** More than the rows of the benches take: nothing has to be read from the disk. */
const settings = ['listen_addresses=', 'shared_buffers=1GB', 'max_wal_size=8GB'];

/** How often, five times a second, it is looked whether the server has started. */
const triesMax = 50;

/** @throws Error with the reason when it cannot be started */
export async function startPostgres(parent: string): Promise<Postgres> {
  const folder = join(parent, 'postgres');
  mkdirSync(folder);
  if (asUser.uid !== undefined) {
    chownSync(parent, nobody, nobody);
    chownSync(folder, nobody, nobody);
  }
  const data = join(folder, 'data');
  const made = spawnSync('initdb', ['-D', data, '-U', 'bench', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...(asUser as object),
    encoding: 'utf8',
  });
  if (made.error) throw new Error('there is no initdb on this machine');
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.trim()}`);
  const options = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn('postgres', ['-D', data, '-k', folder, ...options], { ...asUser, stdio: 'ignore' });
  // A bench that is interrupted must not leave it behind.
  process.once('exit', () => server.kill('SIGQUIT'));
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const connection = ['-h', folder, '-U', 'bench', '-d', 'postgres', '-XqAt', '-v', 'ON_ERROR_STOP=1'];
  for (let tries = 1; spawnSync('psql', [...connection, '-c', 'SELECT 1']).status !== 0; tries++) {
    if (tries === triesMax) {
      server.kill();
      throw new Error('the server of this machine did not start');
    }
    await sleep(200);
  }
  const session = sessionOf(spawn('psql', connection));
  return {
    query: session.query,
    copy: async (table, rows) => {
      const loader = spawn('psql', [...connection, '-c', `COPY ${table} FROM STDIN`]);
      const code = new Promise<number | null>((resolve) => loader.once('exit', resolve));
      await pipeline(Readable.from(inChunks(rows)), loader.stdin);
      if ((await code) !== 0) throw new Error(`the rows could not be copied into ${table}`);
    },
    stop: async () => {
      session.end();
      server.kill('SIGINT');
      await ended;
    },
  };
}

const mark = 'end of the answer';

/** One connection that stays open, as an API's pool has it. */
function sessionOf(psql: ChildProcessWithoutNullStreams) {
  const lines = createInterface({ input: psql.stdout })[Symbol.asyncIterator]();
  return {
    query: async (sql: string): Promise<string[]> => {
      psql.stdin.write(`${sql};\n\\echo ${mark}\n`);
      const answer: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`PostgreSQL refused: ${sql}`);
        if (value === mark) return answer;
        answer.push(value);
      }
    },
    end: () => psql.stdin.end(),
  };
}

function* inChunks(rows: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const row of rows) {
    if (chunk.push(row) < 1000) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}
