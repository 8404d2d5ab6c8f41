import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { problemsOf } from '../../lib/contract/problems.ts';
import type { Stored } from '../../lib/records/collection.ts';
import { type Entry, entriesMax, upsertMany } from '../../lib/records/upsert.ts';
import type { ImportReport } from './importReport.ts';
import { type Importable, toEntry } from './importResources.ts';

interface Line {
  number: number;
  text: string;
}

type Pending = Line & { entry: Entry<Stored> };

/** Imports every line of a stream, in order, and tells the report what became of each. */
export async function importLines(
  resource: Importable,
  account: string,
  input: Readable,
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
    for (const [i, { number, text }] of lines.entries()) {
      const result = results[i];
      if (result?.kind === 'refused') report.refused(number, result.reason, text);
      else if (result) report.done(result.kind);
    }
  };
  for await (const line of numbered(input)) {
    report.read(line.text);
    if (line.text.trim() === '') continue;
    const entry = entryOf(resource, line, report);
    if (!entry) continue;
    const id = entry.content.external_id;
    // A second line about the same record has to find what the first one made.
    if (pending.has(id) || pending.size === entriesMax) await write();
    pending.set(id, { ...line, entry });
  }
  await write();
}

async function* numbered(input: Readable): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    // Some programs begin a file with a byte order mark.
    yield { number, text: number === 1 ? text.replace(/^\uFEFF/, '') : text };
  }
}

/** What a line says, or nothing when it was refused. */
function entryOf(
  resource: Importable,
  { number, text }: Line,
  report: ImportReport,
): Entry<Stored> | undefined {
  const parsed = parse(text);
  const { data, error } = parsed ? resource.schema().safeParse(parsed.value) : {};
  const problems = parsed ? problemsOf(error) : ['the line is not valid JSON'];
  if (problems.length === 0) {
    const entry = toEntry(data);
    if (entry.content.external_id !== null) return entry;
    problems.push('external_id is required here: without it the line would make a new record each time');
  }
  report.refused(number, problems.join('; '), text);
  return undefined;
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
