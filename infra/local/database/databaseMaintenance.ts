import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Database } from './database.ts';
import type { LocalTable } from './tables.ts';

const sweepEveryMs = 60_000;

/** Expired items, or old stream records, of one table and one sweep; what is left waits for the next. */
const sweptAtOnce = 1000;

/** As long as DynamoDB keeps records of a stream. */
const streamKeptSeconds = 24 * 3600;

/**
 * What the embedded database leaves undone. With a stream, each of its writes looks through all stream records there
 * have ever been, for want of an index. And it keeps items beyond their time to live, and stream records for ever.
 * @returns stops it
 */
export function startMaintenance(
  database: Database,
  tables: readonly LocalTable[],
  checkpoints: Pick<Checkpoints, 'handled'>,
): () => void {
  if (!database.file) return () => {};
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
  // A sweep that fails leaves its items to the next one.
  const timer = setInterval(() => void sweep().catch(() => {}), sweepEveryMs);
  return () => {
    clearInterval(timer);
    client.destroy();
    sqlite.close();
  };

  /** Deletes through the front door, so that the deletions stand in the stream as they do on AWS. */
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
 * Removes records of a table's stream that are older than a day. Those that wait for a function stay, unlike on AWS: a
 * machine may have been off for days. So does the newest, because the database numbers the next record after it. What
 * is looked at is bounded, by the index: without it, every sweep would read a day of records.
 * @param handled the sequence number of the last record that nobody waits for; Infinity when nobody waits for any
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

/** Only what is still expired: it may have been written anew since it was looked up. */
const deletion = (TableName: string, timeToLive: string, Key: Record<string, { S: string }>) =>
  new DeleteItemCommand({
    TableName,
    Key,
    ConditionExpression: '#ttl < :now',
    ExpressionAttributeNames: { '#ttl': timeToLive },
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(Date.now() / 1000)) } },
  });

/** An item's time to live within the JSON that the database keeps of it. */
const seconds = (attribute: string | undefined) =>
  `CAST(json_extract(item_json, '$.${attribute}.N') AS INTEGER)`;

/** Key columns hold the type before the value: `S:abc`. */
const keyOf = (column: unknown) => ({ S: String(column).slice(2) });
