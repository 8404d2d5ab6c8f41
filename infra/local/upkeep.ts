import { DatabaseSync } from 'node:sqlite';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Database } from './database.ts';
import type { LocalTable } from './tables.ts';

const sweepEveryMs = 60_000;

/** Expired items of one sweep; what is left waits for the next. */
const sweptAtOnce = 1000;

/**
 * What the embedded database leaves undone. With a stream, each of its writes looks through all stream records there
 * have ever been, for want of an index. And it keeps items beyond their time to live.
 * @returns stops it
 */
export function keepUp(database: Database, tables: readonly LocalTable[]): () => void {
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
