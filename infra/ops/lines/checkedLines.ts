import type * as z from 'zod';
import { deletedLine, type StatedResource } from '../../../lib/contract/inbox.ts';
import { joinProblems } from '../../../lib/errors/apiError.ts';
import type { Said } from '../../../lib/inbox/message.ts';
import { toDeletion } from '../../../lib/inbox/resources.ts';
import { readStatement } from '../../../lib/inbox/statement.ts';
import { readObject } from '../../../lib/values/json.ts';
import { hintOf, problemsOf, shown } from '../../../lib/values/problemMessages.ts';
import type { LineReport } from './lineReport.ts';
import { type Line, readLines } from './lines.ts';

/** The part of a line that the store takes, or why the line cannot be imported. */
type Checked = { said: Said; leftOut?: string } | { problem: string };

/** The lines that state a record, or `{"deleted": …}`. Invalid lines are reported as refused; empty lines are skipped. */
export async function* checkedLines(
  resource: StatedResource,
  chunks: AsyncIterable<Buffer>,
  report: Pick<LineReport, 'read' | 'done' | 'refused' | 'leftOut'>,
): AsyncGenerator<{ line: Line; said: Said }> {
  for await (const line of readLines(chunks)) {
    report.read(line);
    if (line.problem === undefined && line.text.trim() === '') {
      report.done(line, 'empty');
      continue;
    }
    const checked = checkLine(resource, line);
    if ('problem' in checked) report.refused(line, checked.problem);
    else {
      if (checked.leftOut !== undefined) report.leftOut(line, checked.leftOut);
      yield { line, ...checked };
    }
  }
}

/** Checks a line as the inbox checks a message. */
function checkLine(resource: StatedResource, { text, problem }: Line): Checked {
  const read = problem === undefined ? readObject(text) : { problem };
  if ('problem' in read) return { problem: `the line ${read.problem}` };
  const sentences = (issues: readonly z.ZodError['issues'][number][]) =>
    joinProblems(problemsOf({ issues: [...issues] }, shown, hintOf));
  if (Object.hasOwn(read.value, 'deleted')) {
    const { data, error } = deletedLine(resource).safeParse(read.value);
    if (!data) return { problem: sentences(error.issues) };
    return { said: { deletion: toDeletion(data.deleted) } };
  }
  const statement = readStatement(resource, read.value);
  if ('problems' in statement) return { problem: sentences(statement.problems) };
  const { entry, leftOut } = statement;
  return { said: { entry }, ...(leftOut.length > 0 ? { leftOut: sentences(leftOut) } : {}) };
}
