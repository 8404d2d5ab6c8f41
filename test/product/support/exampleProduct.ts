import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { givenAccount } from '../../support/data/given.ts';
import type { Database } from '../database.ts';
import { invoke } from '../invoke.ts';
import { run } from '../product.ts';
import { openSqlite } from '../sqlite.ts';
import { givenPostgres } from './givenPostgres.ts';

/** The relay and the consumer of the example product, which can be killed and started again. */
export interface ExampleProduct {
  readonly database: Database;
  readonly account: string;
  /** @param queues in the place of those of the stack */
  start(stack: StackDescription, queues: string): void;
  kill(): Promise<void>;
}

const queuesOf = ({ recordsInboxUrl, recordsOutboxUrl }: StackDescription, queues: string) => ({
  inbox: queues + new URL(recordsInboxUrl).pathname,
  outbox: queues + new URL(recordsOutboxUrl).pathname,
});

/** With SQLite, in a process of its own. */
export class SqliteProduct implements ExampleProduct {
  readonly database: Database;
  readonly account = givenAccount();
  private readonly file: string;
  private child: ChildProcess | undefined;

  constructor(file: string) {
    this.file = file;
    this.database = openSqlite(file);
  }

  start(stack: StackDescription, queues: string): void {
    const { inbox, outbox } = queuesOf(stack, queues);
    this.child = spawn(process.execPath, [join(import.meta.dirname, '..', 'product.ts')], {
      env: {
        ...process.env,
        ...{ DATABASE: this.file, INBOX_URL: inbox, OUTBOX_URL: outbox, RETRY_SECONDS: '10' },
        ...{ AWS_ENDPOINT_URL: queues, AWS_REGION: stack.region },
        ...{ ASK_RECORDS_FUNCTION: stack.askRecordsFunction, AWS_ENDPOINT_URL_LAMBDA: stack.controlEndpoint },
        ...{
          AWS_ACCESS_KEY_ID: 'local',
          AWS_SECRET_ACCESS_KEY: 'local',
          AWS_SESSION_TOKEN: stack.controlToken,
        },
      },
      stdio: ['ignore', 'inherit', 'ignore'],
    });
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** With PostgreSQL, in this process. */
export class PostgresProduct implements ExampleProduct {
  readonly account = givenAccount();
  readonly database: Database;
  private stop = new AbortController();
  private running: Promise<void> | undefined;

  private constructor(database: Database) {
    this.database = database;
  }

  /** @param sqls make the tables */
  static async open(sqls: string[]): Promise<PostgresProduct> {
    const product = new PostgresProduct(await givenPostgres(sqls));
    await product.database.transaction((sql) =>
      sql('INSERT INTO organizations (slug) VALUES ($1)', product.account),
    );
    return product;
  }

  start(stack: StackDescription, queues: string): void {
    this.stop = new AbortController();
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: stack.controlToken };
    const lambda = new LambdaClient({ endpoint: stack.controlEndpoint, region: stack.region, credentials });
    const ask = (question: object) => invoke(stack.askRecordsFunction, question, lambda);
    const sqs = new SQSClient({ endpoint: queues, region: stack.region, credentials });
    this.running = run(
      this.database,
      { ...queuesOf(stack, queues), retrySeconds: 10, ask },
      sqs,
      this.stop.signal,
    );
  }

  async kill(): Promise<void> {
    this.stop.abort();
    await this.running;
  }
}
