import type * as z from 'zod';
import { deletedLine, type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { joinProblems } from '../../../lib/errors/apiError.ts';
import type { Said } from '../../../lib/inbox/message.ts';
import { toDeletion, toEntry } from '../../../lib/inbox/resources.ts';
import { readObject } from '../../../lib/values/json.ts';
import { hintOf, problemsOf, shown, withoutRepeated } from '../../../lib/values/problemMessages.ts';
import type { LineReport } from './lineReport.ts';
import { type Line, readLines } from './lines.ts';

/** The value of a line and what the store takes of it, or why the line cannot be imported. */
type Checked = { value: object; said: Said } | { problem: string };

/** The lines that state a record, or `{"deleted": …}`. Invalid lines are reported as refused; empty lines are skipped. */
export async function* checkedLines(
  resource: StatedResource,
  chunks: AsyncIterable<Buffer>,
  report: Pick<LineReport<never>, 'read' | 'done' | 'refused'>,
): AsyncGenerator<{ line: Line; value: object; said: Said }> {
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
  const sent = read.value as { deleted?: unknown };
  const isDeletion = Object.hasOwn(sent, 'deleted');
  const schema = isDeletion ? deletedLine(resource) : statements[resource]();
  const { data, error } = schema.safeParse(sent);
  const ofFields = problemsOf(error, shown, hintOf);
  const problems = [...withoutRepeated(read.problems, ofFields), ...ofFields];
  if (problems.length > 0) return { problem: joinProblems(problems) };
  const said: Said = isDeletion
    ? { deletion: toDeletion((data as z.output<ReturnType<typeof deletedLine>>).deleted) }
    : { entry: toEntry(resource, data, sent) };
  return { value: sent, said };
}
