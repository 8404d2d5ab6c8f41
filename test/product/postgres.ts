import type { Database, Row, Run, WrittenTable } from './database.ts';

/** A connection, as that of `pg` is. */
export interface Client {
  query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

type Transaction = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/** Reads from the views of api.sql what clients may write: this program is the same for every app. */
async function readWritten(run: Run): Promise<Database['written']> {
  const rows = await run(
    `SELECT f.*, 'api_' || replace(f.resource, '-', '_') AS name, c.data_type LIKE 'json%' AS is_json
     FROM api_fields f JOIN information_schema.columns c ON c.table_schema = current_schema()
       AND c.table_name = 'api_' || replace(f.resource, '-', '_') AND c.column_name = f.field`,
  );
  const tables = [...Map.groupBy(rows, ({ resource }) => String(resource))].map(([resource, all]) => {
    const fields = all.filter(({ is_taken }) => is_taken).map(({ field }) => String(field));
    const [{ type, name }] = all as [Row];
    const table: WrittenTable = {
      type: String(type),
      resource,
      table: String(name),
      key: 'source_id',
      columns: Object.fromEntries(fields.map((field) => [field, `"${field}"`])),
      json: all.filter(({ is_json }) => is_json).map(({ field }) => String(field)),
      refs: Object.fromEntries(Object.entries(links).filter(([field]) => fields.includes(field))),
      create: `INSERT INTO ${name} (account, api_id) VALUES ($1, $2)`,
      moves: resource === 'contacts' ? ['SELECT api_move($1, $2)'] : [],
    };
    return [resource, table];
  });
  return Object.fromEntries(tables);
}

const links = { contact_source_id: 'contacts', order_source_id: 'orders' };

/** @param transaction runs work in one transaction */
export async function postgres(transaction: Transaction, close: () => Promise<void>): Promise<Database> {
  const runOf =
    (client: Client): Run =>
    async (sql, ...values) =>
      (await client.query(sql, values)).rows;
  const database: Database = {
    written: await transaction((client) => readWritten(runOf(client))),
    refresh: async (run) => {
      database.written = await readWritten(run);
    },
    gather: async () =>
      Number((await transaction((client) => client.query('SELECT api_gather() AS n'))).rows[0]?.n),
    transaction: (work) => transaction((client) => work(runOf(client))),
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    // https://www.postgresql.org/docs/current/errcodes-appendix.html: data exceptions, and violations of constraints.
    isRejection: (error) => /^2[23]/.test(String((error as { code?: string }).code)),
    close,
    ...(await transaction(readTables)),
    setRevision: (run, resource, key, revision) =>
      run(
        'UPDATE api_rows SET revision = $1 WHERE resource = $2 AND source_id = $3',
        revision,
        resource,
        key,
      ),
    sendAgain: (run, resource, key) =>
      run('INSERT INTO api_changes (resource, source_id, restate) VALUES ($1, $2, true)', resource, key),
  };
  return database;
}

type Keys = Pick<Database, 'resources' | 'highestKeys' | 'raiseKeys' | 'createAgain'>;

/** Reads from the triggers of api.sql which table and column give the keys of each resource. */
async function readTables(client: Client): Promise<Keys> {
  const { rows } = await client.query(
    `SELECT args[1] AS resource, tgrelid::regclass::text AS name, args[3] AS key, pg_get_serial_sequence(tgrelid::regclass::text, args[3]) AS keys
     FROM (SELECT tgrelid, tgname, string_to_array(encode(tgargs, 'escape'), '\\000') AS args FROM pg_trigger
           WHERE tgfoid = to_regproc('api_note') AND tgparentid = 0) AS noted
     WHERE tgname = 'api_' || replace(args[1], '-', '_') || '_t' ORDER BY args[1] <> 'contacts', args[1]`,
  );
  const tables = new Map(rows.map((row) => [String(row.resource), row]));
  const lastKey = async (run: Run, { keys }: Row) =>
    Number((await run('SELECT pg_sequence_last_value($1::regclass) AS key', keys))[0]?.key ?? 0);
  const numbered = rows.filter(({ keys }) => keys !== null);
  const setKey = (run: Run, { keys }: Row, last: number) =>
    run('SELECT setval($1::regclass, $2)', keys, last);
  return {
    resources: [...tables.keys()],
    highestKeys: async (run) =>
      Object.fromEntries(
        await Promise.all(
          numbered.map(async (table) => [String(table.resource), await lastKey(run, table)] as const),
        ),
      ),
    async raiseKeys(run, resource, above) {
      const table = numbered.find((one) => one.resource === resource);
      if (table && (await lastKey(run, table)) < above) await setKey(run, table, above);
    },
    async createAgain(run, { resource, create }, account, id, key) {
      const { name, key: column, keys } = tables.get(resource) as Row;
      const last = keys === null ? 0 : await lastKey(run, { keys });
      // The mapping knows how a row is made, and not with which key: its sequence gives this one next.
      if (keys !== null) await run('SELECT setval($1::regclass, $2, false)', keys, key);
      await run(create, account, id);
      if (keys !== null) return setKey(run, { keys }, Math.max(last, Number(key)));
      const ofRow = 'WHERE resource = $1 AND api_id = $2';
      const [made] = await run(`SELECT source_id FROM api_rows ${ofRow}`, resource, id);
      await run(`UPDATE ${name} SET "${column}" = $1 WHERE "${column}"::text = $2`, key, made?.source_id);
      return run(`UPDATE api_rows SET source_id = $3 ${ofRow}`, resource, id, key);
    },
  };
}

interface PoolClient extends Client {
  on(event: 'error', listener: () => void): void;
  release(error?: Error): void;
}

interface Pool {
  on(event: 'error' | 'connect', listener: (client: PoolClient) => void): void;
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
  // A connection may end before `connect` returns it.
  pool.on('connect', (client) => client.on('error', ignore));
  return postgres(
    async (work) => {
      const client = await pool.connect();
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
        client.release(broken);
      }
    },
    () => pool.end(),
  );
}
