import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from '../../support/run/packages.ts';
import type { Database } from '../database.ts';
import { type Client, postgres } from '../postgres.ts';

interface Pglite {
  exec(sql: string): Promise<unknown>;
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const folder = join(import.meta.dirname, '..');

/** PostgreSQL in this process, with the tables of the example. It ends with the process. */
export async function givenPostgres(): Promise<Database> {
  const { PGlite } = await packageOf<{ PGlite: new () => Pglite }>(folder, '@electric-sql/pglite');
  const pglite = new PGlite();
  await pglite.exec(readFileSync(join(folder, 'postgres.sql'), 'utf8'));
  return postgres(
    (work) => pglite.transaction(work),
    () => pglite.close(),
  );
}
