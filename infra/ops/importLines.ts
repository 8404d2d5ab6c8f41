import { collectionOf } from '../../lib/inbox/resources.ts';
import type { Stored } from '../../lib/records/collection.ts';
import { type Entry, entriesMax, type Upserted, upsertMany } from '../../lib/records/upsert.ts';
import { checkedLines } from './checkedLines.ts';
import type { LineJob } from './lineCommand.ts';
import type { Line } from './lines.ts';

/** What can become of a line. */
type Imported = Exclude<Upserted<Stored>['kind'], 'refused'>;

type Pending = Line & { entry: Entry<Stored> };

/** Imports every line of a stream, in order, and tells the report what became of each. */
export async function importLines({ resource, account, chunks, report }: LineJob<Imported>): Promise<void> {
  const pending = new Map<string, Pending>();
  const write = async () => {
    const lines = [...pending.values()];
    pending.clear();
    const results = await upsertMany(
      collectionOf(resource),
      account,
      lines.map(({ entry }) => entry),
    );
    for (const [i, line] of lines.entries()) {
      const result = results[i];
      if (result?.kind === 'refused') report.refused(line, result.reason);
      else if (result) report.done(result.kind);
    }
  };
  for await (const { line, entry } of checkedLines(resource, chunks, report)) {
    const id = entry.content.external_id;
    // A second line about the same record has to find what the first one made.
    if (pending.has(id) || pending.size === entriesMax) await write();
    pending.set(id, { ...line, entry });
  }
  await write();
}
