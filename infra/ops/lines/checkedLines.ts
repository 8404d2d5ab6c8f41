import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { joinProblems } from '../../../lib/errors/apiError.ts';
import { toEntry } from '../../../lib/inbox/resources.ts';
import type { Entry } from '../../../lib/records/upsert/entry.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { readObject } from '../../../lib/values/json.ts';
import { hintOf, problemsOf, shown, withoutRepeated } from '../../../lib/values/problemMessages.ts';
import type { LineReport } from './lineReport.ts';
import { type Line, readLines } from './lines.ts';

/** The value of a line and the entry that the store takes, or why the line cannot be imported. */
type Checked = { value: object; entry: Entry<Stored> } | { problem: string };

/** The lines that state a record. Invalid lines are reported as refused; empty lines are skipped. */
export async function* checkedLines(
  resource: StatedResource,
  chunks: AsyncIterable<Buffer>,
  report: Pick<LineReport<never>, 'read' | 'done' | 'refused'>,
): AsyncGenerator<{ line: Line; value: object; entry: Entry<Stored> }> {
  for await (const line of readLines(chunks)) {
    report.read(line);
    if (line.problem === undefined && line.text.trim() === '') {
      report.done(line, 'empty');
      continue;
    }
    const checked = checkLine(resource, line);
    if ('problem' in checked) report.refused(line, checked.problem);
    else yield { line, ...checked };
  }
}

/** Checks a line as the API checks a body. */
function checkLine(resource: StatedResource, { text, problem }: Line): Checked {
  const read = problem === undefined ? readObject(text, shown, true) : { problem };
  if ('problem' in read) return { problem: `the line ${read.problem}` };
  const { data, error } = statements[resource]().safeParse(read.value);
  const ofFields = problemsOf(error, shown, hintOf);
  const problems = [...withoutRepeated(read.problems, ofFields), ...ofFields];
  return problems.length > 0
    ? { problem: joinProblems(problems) }
    : { value: read.value, entry: toEntry(resource, data, read.value) };
}
