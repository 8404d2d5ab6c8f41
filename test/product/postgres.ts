import type { Contacts, Database, Row } from './database.ts';

const contacts: Contacts = {
  table: 'customers',
  key: 'customer_no',
  columns: {
    email: 'mail',
    first_name: 'first_name',
    last_name: 'last_name',
    phone: 'phone',
    'address.city': 'city',
    tags: 'labels',
    note: 'note',
    'custom_fields.points': 'points',
  },
  json: [],
  create: 'INSERT INTO customers (workspace, api_id) SELECT id, $2 FROM workspaces WHERE slug = $1',
  moves: ['UPDATE purchases SET customer = $2 WHERE customer = $1'],
};

/** A connection, as that of `pg` is. */
export interface Client {
  query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** @param transaction runs work in one transaction */
export const postgres = (
  transaction: <T>(work: (client: Client) => Promise<T>) => Promise<T>,
  close: () => Promise<void>,
): Database => ({
  contacts,
  transaction: (work) =>
    transaction((client) => work(async (sql, ...values) => (await client.query(sql, values)).rows)),
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: data exceptions, and violations of constraints.
  isRejection: (error) => /^2[23]/.test(String((error as { code?: string }).code)),
  close,
});

type Listen = (event: 'error', listener: (error: Error) => void) => void;

interface PoolClient extends Client {
  on: Listen;
  off: Listen;
  release(error?: Error): void;
}

interface Pool {
  on: Listen;
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

/** Connects to a database with the package `pg`. Its tables are there: postgres.sql was run. */
export async function openPostgres(connectionString: string): Promise<Database> {
  const driver: string = 'pg';
  const { Pool } = (await import(driver)).default as { Pool: new (options: object) => Pool };
  const pool = new Pool({ connectionString });
  // PostgreSQL was restarted, for example. The pool opens another connection, and a statement that was under way fails by itself.
  const ignore = () => {};
  pool.on('error', ignore);
  return postgres(
    async (work) => {
      const client = await pool.connect();
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    },
    () => pool.end(),
  );
}
