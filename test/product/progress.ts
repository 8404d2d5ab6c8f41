import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Asks the function `askRecords` of the API. */
// biome-ignore lint/suspicious/noExplicitAny: each question has a result of its own, and docs/restore.md shows them.
export type Ask = (question: object) => Promise<any>;

/** The database, or the API, is older than the other one knows, so it was restored from a backup. */
export class RestoredFromBackup extends Error {}

const page = 'Nothing was sent. See docs/restore.md#your-database.';

/** The place of a beat in the order of all beats of a database. */
const orderOf = (beat: string | null): number => Number.parseInt(beat ?? '0', 10);

/**
 * Tells the API the next beat of this database, which follows the last one only if neither side was restored from a backup meanwhile.
 * Several processes may do it at once: they share the next beat.
 * @throws RestoredFromBackup
 */
export async function checkProgress(database: Database, ask: Ask): Promise<void> {
  const read = 'SELECT database_id, confirmed, pending FROM api_progress';
  const [own, keys] = await database.transaction(async (run) => {
    const [row] = await run(read);
    const next = `${orderOf(row?.confirmed as string | null) + 1}-${randomUUID()}`;
    if (!row?.pending) await run('UPDATE api_progress SET pending = $1 WHERE pending IS NULL', next);
    return [(await run(read))[0], await database.highestKeys(run)] as const;
  });
  const { database_id, confirmed, pending } = own as Record<string, string | null>;
  const { beat } = await ask({ database: database_id, previous: confirmed, next: pending, keys });
  await database.transaction(async (run) => {
    const [now] = await run(read);
    // Another process was faster.
    if (now?.confirmed !== confirmed) return;
    if (beat === pending)
      await run('UPDATE api_progress SET confirmed = $1, pending = NULL WHERE pending = $1', pending);
    else if (orderOf(beat) > orderOf(confirmed as string | null))
      throw new RestoredFromBackup(
        `This database was restored from a backup: the API knows more of it. ${page}`,
      );
    else
      throw new RestoredFromBackup(
        `The API was restored from a backup: it knows less of this database. ${page}`,
      );
  });
}
