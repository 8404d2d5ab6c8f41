import type { Stored } from '../../lib/records/collection.ts';
import { type Entry, entriesMax, upsertMany } from '../../lib/records/upsert.ts';
import { checkLine } from './importLine.ts';
import type { ImportReport } from './importReport.ts';
import type { Importable } from './importResources.ts';
import { type Line, readLines } from './lines.ts';

type Pending = Line & { entry: Entry<Stored> };

/**
 * Imports every line of a stream, in order, and tells the report what became of each. While the database works on a batch,
 * the lines of the next are read and checked.
 */
export async function importLines(
  resource: Importable,
  account: string,
  input: AsyncIterable<Buffer>,
  report: ImportReport,
): Promise<void> {
  let pending = new Map<string, Pending>();
  let writing = Promise.resolve();
  // At most one batch is under way: a later one could not find what an earlier one makes, and memory has to stay flat.
  const write = async () => {
    await writing;
    writing = writeBatch(resource, account, [...pending.values()], report);
    // Whoever waits for it meets its failure; until then it must not count as one that nobody looks after.
    writing.catch(() => {});
    pending = new Map();
  };
  try {
    for await (const line of readLines(input)) {
      report.read(line);
      if (line.problem === undefined && line.text.trim() === '') continue;
      const checked = checkLine(resource, line);
      if ('problems' in checked) {
        report.refused(line, checked.problems.join('; '));
        continue;
      }
      const { entry } = checked;
      const id = entry.content.external_id;
      // A second line about the same record has to find what the first one made.
      if (pending.has(id) || pending.size === entriesMax) await write();
      pending.set(id, { ...line, entry });
    }
    await write();
  } finally {
    await writing;
  }
}

async function writeBatch(
  { collection }: Importable,
  account: string,
  lines: readonly Pending[],
  report: ImportReport,
): Promise<void> {
  const results = await upsertMany(
    collection,
    account,
    lines.map(({ entry }) => entry),
  );
  for (const [i, line] of lines.entries()) {
    const result = results[i];
    if (result?.kind === 'refused') report.refused(line, result.reason);
    else if (result) report.done(result.kind);
  }
}
