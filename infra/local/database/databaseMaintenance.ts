import { DatabaseSync } from 'node:sqlite';
import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Database } from './database.ts';

const sweepEveryMs = 60_000;

/** The most stream records that one sweep deletes of a table. The next sweep goes on. */
const sweptAtOnce = 1000;

/** DynamoDB keeps stream records for 24 hours. */
const streamKeptSeconds = 24 * 3600;

/**
 * Maintains the embedded database, because the database itself does not do two things: it has no index on stream records, so
 * each write to a table with a stream would read all of them; and it does not delete old stream records. Expired items stay: nobody may
 * rely on their deletion, for which DynamoDB takes days.
 * @returns stops the maintenance
 */
export function startMaintenance(
  database: Database,
  tables: readonly string[],
  checkpoints: Pick<Checkpoints, 'handled'>,
): () => void {
  const sqlite = new DatabaseSync(database.file, { timeout: 5000 });
  sqlite.exec(
    'CREATE INDEX IF NOT EXISTS _local_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
  );
  const timer = setInterval(() => {
    try {
      for (const name of tables) trimStream(sqlite, name, checkpoints.handled(name));
    } catch {
      // The next sweep deletes what a failed one did not.
    }
  }, sweepEveryMs);
  return () => {
    clearInterval(timer);
    sqlite.close();
  };
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
