import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Database } from './database.ts';
import type { LocalTable } from './tables.ts';

const sweepEveryMs = 60_000;

/** The most expired items, or old stream records, that one sweep deletes of a table. The next sweep goes on. */
const sweptAtOnce = 1000;

/** DynamoDB keeps stream records for 24 hours. */
const streamKeptSeconds = 24 * 3600;

/**
 * Maintains the embedded database, because the database itself does not do three things: it has no index on stream records, so
 * each write to a table with a stream would read all of them; it does not delete expired items; it does not delete old
 * stream records.
 * @returns stops the maintenance
 */
export function startMaintenance(
  database: Database,
  tables: readonly LocalTable[],
  checkpoints: Pick<Checkpoints, 'handled'>,
): () => void {
  const sqlite = new DatabaseSync(database.file, { timeout: 5000 });
  const expiring = tables.filter((table) => table.timeToLive !== undefined);
  sqlite.exec(
    'CREATE INDEX IF NOT EXISTS _local_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
  );
  for (const { name, timeToLive } of expiring)
    sqlite.exec(
      `CREATE INDEX IF NOT EXISTS "_local_ttl_${name}" ON "${name}"(${seconds(timeToLive)}) WHERE ${seconds(timeToLive)} IS NOT NULL`,
    );
  const client = new DynamoDBClient({
    endpoint: database.endpoint,
    region: 'local-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  // The next sweep deletes what a failed one did not.
  const timer = setInterval(() => void sweep().catch(() => {}), sweepEveryMs);
  return () => {
    clearInterval(timer);
    client.destroy();
    sqlite.close();
  };

  /** Items are deleted through DynamoDB's API and not in SQLite, so that the deletions are in the stream, as on AWS. */
  async function sweep(): Promise<void> {
    for (const { name } of tables) trimStream(sqlite, name, checkpoints.handled(name));
    for (const { name, timeToLive } of expiring) {
      const expired = sqlite
        .prepare(
          `SELECT pk, sk FROM "${name}" WHERE ${seconds(timeToLive)} < unixepoch() LIMIT ${sweptAtOnce}`,
        )
        .all();
      for (const { pk, sk } of expired)
        await client.send(deletion(name, timeToLive as string, { pk: keyOf(pk), sk: keyOf(sk) }));
    }
  }
}

/**
 * Deletes stream records of a table that are older than a day. Unlike on AWS, records that no function has handled yet stay: the
 * machine may have been off for days. The newest record stays too, because the database derives the next sequence number
 * from it. The query reads at most `sweptAtOnce` records, by the index.
 * @param handled the sequence number up to which all readers are done; Infinity when the stream has no reader
 */
export function trimStream(sqlite: DatabaseSync, table: string, handled: number): void {
  sqlite
    .prepare(
      `WITH oldest AS (
         SELECT id, created_at, CAST(sequence_number AS INTEGER) AS number FROM _stream_records
         WHERE table_name = ?1 ORDER BY CAST(sequence_number AS INTEGER) LIMIT ${sweptAtOnce}
       )
       DELETE FROM _stream_records WHERE id IN (
         SELECT id FROM oldest WHERE created_at < unixepoch() - ${streamKeptSeconds} AND number <= ?2 AND number <
           (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?1)
       )`,
    )
    .run(table, handled);
}

/** The condition protects an item that was written again after it was read as expired. */
const deletion = (TableName: string, timeToLive: string, Key: Record<string, { S: string }>) =>
  new DeleteItemCommand({
    TableName,
    Key,
    ConditionExpression: '#ttl < :now',
    ExpressionAttributeNames: { '#ttl': timeToLive },
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(Date.now() / 1000)) } },
  });

/** SQL for the time to live in the JSON that the database stores of an item. */
const seconds = (attribute: string | undefined) =>
  `CAST(json_extract(item_json, '$.${attribute}.N') AS INTEGER)`;

/** Key columns hold the type and the value: `S:abc`. */
const keyOf = (column: unknown) => ({ S: String(column).slice(2) });
