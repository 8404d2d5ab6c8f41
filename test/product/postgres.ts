import type { Contacts, Database, Row } from './database.ts';

/** A connection, as that of `pg` is. */
export interface Client {
  query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

type Transaction = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/** Reads from the views of api.sql what clients may write: this program is the same for every app. */
async function readContacts(client: Client): Promise<Contacts> {
  const { rows } = await client.query(
    `SELECT f.field, c.data_type LIKE 'json%' AS is_json FROM api_fields f JOIN information_schema.columns c
     ON c.table_schema = current_schema() AND c.table_name = 'api_contacts' AND c.column_name = f.field WHERE f.is_taken`,
  );
  return {
    table: 'api_contacts',
    key: 'source_id',
    columns: Object.fromEntries(rows.map(({ field }) => [field, `"${field}"`])),
    json: rows.filter(({ is_json }) => is_json).map(({ field }) => String(field)),
    create: 'INSERT INTO api_contacts (account, api_id) VALUES ($1, $2)',
    moves: ['SELECT api_move($1, $2)'],
  };
}

/** @param transaction runs work in one transaction */
export const postgres = async (transaction: Transaction, close: () => Promise<void>): Promise<Database> => ({
  contacts: await transaction(readContacts),
  gather: () => transaction((client) => client.query('SELECT api_gather()')),
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

/** Connects to a database with the package `pg`. api.sql was run there. */
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
