import { DatabaseSync } from 'node:sqlite';
import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Database } from './localDatabase.ts';

const sweepEveryMs = 60_000;

/** How many stream records one sweep deletes from a table. The next sweep continues. */
const sweptAtOnce = 1000;

/** DynamoDB keeps stream records for 24 hours. */
const streamKeptSeconds = 24 * 3600;

/**
 * Does two things for the embedded database that it does not do itself. It adds an index on stream records, because each write to a table with
 * a stream would otherwise read all of them. It also deletes old stream records. Expired items stay, because nobody may rely on their deletion,
 * for which DynamoDB takes days.
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
      // The next sweep deletes what a failed sweep did not.
    }
  }, sweepEveryMs);
  return () => {
    clearInterval(timer);
    sqlite.close();
  };
}

/**
 * Deletes a table's stream records that are older than a day. Unlike on AWS, records that no function has handled yet stay, because the machine
 * may have been off for days. The newest record stays as well, because the database derives the next sequence number from it. The query reads
 * at most `sweptAtOnce` records, through the index.
 * @param handled the sequence number up to which all readers are done; Infinity if the stream has no reader
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
