import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiSql } from '../../../infra/ops/app/apiSql.ts';
import { readMapping } from '../../../infra/ops/app/mapping.ts';
import { packageOf } from '../../support/run/packages.ts';
import type { Database } from '../database.ts';
import { type Client, postgres } from '../postgres.ts';

interface Pglite {
  exec(sql: string): Promise<unknown>;
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const folder = join(import.meta.dirname, '..');
export const readExample = (file: string): string => readFileSync(join(folder, 'postgres', file), 'utf8');

/** The tables of the example for PostgreSQL, and what `npm run ops -- app sql` writes for their mapping. */
export const exampleSql = (mapping = readExample('mapping.txt')): string[] => [
  readExample('tables.sql'),
  apiSql(readMapping(mapping)),
];

/** PostgreSQL in this process, with the tables of the example. It ends with the process. @param sqls other tables */
export async function givenPostgres(sqls = exampleSql()): Promise<Database> {
  const { PGlite } = await packageOf<{ PGlite: new () => Pglite }>(folder, '@electric-sql/pglite');
  const pglite = new PGlite();
  for (const sql of sqls) await pglite.exec(sql);
  return postgres(
    (work) => pglite.transaction(work),
    () => pglite.close(),
  );
}
