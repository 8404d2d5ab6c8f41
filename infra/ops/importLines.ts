import type { Stored } from '../../lib/records/collection.ts';
import { type Entry, entriesMax, upsertMany } from '../../lib/records/upsert.ts';
import { checkLine } from './importLine.ts';
import type { ImportReport } from './importReport.ts';
import type { Importable } from './importResources.ts';
import { type Line, readLines } from './lines.ts';

type Pending = Line & { entry: Entry<Stored> };

/** Imports every line of a stream, in order, and tells the report what became of each. */
export async function importLines(
  resource: Importable,
  account: string,
  input: AsyncIterable<Buffer>,
  report: ImportReport,
): Promise<void> {
  const pending = new Map<string, Pending>();
  const write = async () => {
    const lines = [...pending.values()];
    pending.clear();
    const results = await upsertMany(
      resource.collection,
      account,
      lines.map(({ entry }) => entry),
    );
    for (const [i, line] of lines.entries()) {
      const result = results[i];
      if (result?.kind === 'refused') report.refused(line, result.reason);
      else if (result) report.done(result.kind);
    }
  };
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
}
