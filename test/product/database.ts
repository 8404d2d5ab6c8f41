// What the programs need of a database, whichever it is.

export type Row = Record<string, unknown>;

/** Runs a statement, with values for $1, $2 and so on. @returns its rows */
export type Run = (sql: string, ...values: unknown[]) => Promise<Row[]>;

export interface Database {
  /** Runs statements in one transaction. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Fills `api_outbox` with some of what transactions have noted, where they do not fill it themselves. @returns 0 when none is left */
  gather?(): Promise<number>;
  /** Ends a SELECT that locks rows, and skips those that other transactions have locked. Waiting for them could deadlock your app. */
  skipLocked: string;
  /** Returns whether an error says that a column does not accept a value. Any other error may pass. */
  isRejection(error: unknown): boolean;
  close(): Promise<void>;
  /** The tables that clients write, too, by their resources. A migration may change them while the programs run. */
  written: { readonly contacts: WrittenTable; readonly [resource: string]: WrittenTable };
  /** Reads again what clients may write: a migration may have changed it. */
  refresh?(run: Run): Promise<void>;
  /** The resources that have rows, contacts first. */
  resources: readonly string[];
  /** Reads the highest key that each table has ever given, where keys are numbers. */
  highestKeys(run: Run): Promise<Record<string, number>>;
  /** Lets the keys that a table gives from now on be above a number, where keys are numbers. */
  raiseKeys(run: Run, resource: string, above: number): Promise<unknown>;
  /** Makes a row that was lost, with the key that it had. */
  createAgain(run: Run, table: WrittenTable, account: string, id: string, key: string): Promise<unknown>;
  /** Notes which revision a row has, without sending it. */
  setRevision(run: Run, resource: string, key: string, revision: number): Promise<unknown>;
  /** Lets a row be sent with its next revision, although it has not changed. */
  sendAgain(run: Run, resource: string, key: string): Promise<unknown>;
}

/** A table whose rows clients write, too: contacts, and any other resource that is writable. */
export interface WrittenTable {
  /** The type of its records, as messages name it. */
  type: string;
  resource: string;
  table: string;
  key: string;
  /** The column of each field that clients may write, as the record of a row has it. */
  columns: Readonly<Record<string, string>>;
  /** The fields whose column is a text with JSON. */
  json: readonly string[];
  /** The fields that name another row by its key, such as `contact_source_id`, and the resource of that. Records name it by `contact_id`. */
  refs?: Readonly<Record<string, string>>;
  /** Makes the row of a record that a client has created; no row for an account that is unknown here. $1 is the account, $2 the id. */
  create: string;
  /** Give another row what belongs to one that was merged into it. $1 is the key of the one, $2 that of the other. */
  moves: readonly string[];
}

/** Opens a file of SQLite, or postgres://… */
export const openDatabase = async (name: string): Promise<Database> =>
  /^postgres(ql)?:/.test(name)
    ? (await import('./postgres.ts')).openPostgres(name)
    : (await import('./sqlite.ts')).openSqlite(name);
