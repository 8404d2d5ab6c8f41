import { OpsError } from '../../terminal/opsError.ts';

type Row = Record<string, unknown>;

/** Runs a statement. @returns its rows */
export type Query = (sql: string) => Promise<Row[]>;

interface Client {
  connect(): Promise<void>;
  query(sql: string): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

/** Runs work in one transaction that writes nothing. @throws OpsError without the package `pg` */
export async function inDatabase<T>(
  connectionString: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const driver: string = 'pg';
  const loaded = (await import(driver).catch(() => undefined)) as
    | { default: { Client: new (options: object) => Client } }
    | undefined;
  if (!loaded) throw new OpsError('Install the driver of PostgreSQL first: npm install --no-save pg');
  const client = new loaded.default.Client({ connectionString });
  await client.connect();
  try {
    await client.query('BEGIN READ ONLY');
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}
