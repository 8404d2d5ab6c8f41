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
export const postgres = (transaction: <T>(work: (client: Client) => Promise<T>) => Promise<T>): Database => ({
  contacts,
  transaction: (work) =>
    transaction((client) => work(async (sql, ...values) => (await client.query(sql, values)).rows)),
});

interface Pool {
  connect(): Promise<Client & { release(): void }>;
}

/** Connects to a database with the package `pg`. Its tables are there: postgres.sql was run. */
export async function openPostgres(connectionString: string): Promise<Database> {
  const driver: string = 'pg';
  const { Pool } = (await import(driver)).default as { Pool: new (options: object) => Pool };
  const pool = new Pool({ connectionString });
  return postgres(async (work) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  });
}
