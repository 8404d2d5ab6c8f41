import type { EditsMet, UpsertResult } from '../../../lib/records/upsert/entry.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { countOf } from '../../terminal/output.ts';
import type { Progress } from '../../terminal/progressBar.ts';
import type { Line } from './lines.ts';
import type { RefusedFile } from './refusedFile.ts';

/** How many refused lines are shown on the screen. The file has all of them. */
const shownMax = 20;

/** The outcomes of a line that is not refused, with their labels in the summary. */
const labels = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  deleted: 'deleted',
  outdated: 'older than what is there',
} satisfies Record<Exclude<UpsertResult<Stored>['kind'], 'refused'> | 'deleted', string>;

type Kind = keyof typeof labels;

/** Counts and reports the outcomes of lines. Each line that was read is in exactly one of the counts. */
export class LineReport {
  readonly counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, outdated: 0, refused: 0, empty: 0 };
  private readonly started = performance.now();
  private readonly progress: Progress;
  private readonly refusedFile: RefusedFile;
  /** The numbers of the lines that were read and have no outcome yet, in order. */
  private readonly unfinished = new Set<number>();
  private lines = 0;
  private incomplete = 0;
  private readonly edits = { kept: 0, overwritten: 0 };

  constructor(progress: Progress, refusedFile: RefusedFile) {
    this.progress = progress;
    this.refusedFile = refusedFile;
  }

  read({ number, bytes }: Line): void {
    this.lines += 1;
    this.unfinished.add(number);
    this.progress.advance(1, bytes);
  }

  done({ number }: Line, kind: Kind | 'empty'): void {
    this.counts[kind] += 1;
    this.unfinished.delete(number);
  }

  /** Counts the edits by clients that a line contradicts. */
  met({ kept = [], overwritten = [] }: EditsMet): void {
    this.edits.kept += kept.length;
    this.edits.overwritten += overwritten.length;
  }

  /** A field that cannot be read is left out, and the rest of the line is stored. */
  leftOut({ number, text }: Line, reason: string): void {
    this.incomplete += 1;
    this.refusedFile.add({ line: number, reason: `stored without: ${reason}`, text });
    if (this.incomplete <= shownMax) this.progress.say(`line ${number} is stored without a field: ${reason}`);
  }

  refused({ number, text }: Line, reason: string): void {
    this.counts.refused += 1;
    this.unfinished.delete(number);
    this.refusedFile.add({ line: number, reason, text });
    if (this.counts.refused <= shownMax) this.progress.say(`line ${number}: ${reason}`);
    if (this.counts.refused === shownMax + 1)
      this.progress.say(`More refused lines are in ${this.refusedFile.path}`);
  }

  /** The number of the first line that is not done. All lines before it are done. */
  get nextLine(): number {
    const [first = this.lines + 1] = this.unfinished;
    return first;
  }

  /** @param complete whether the input was read to its end, and all lines are done */
  finish({ json, complete }: { json?: boolean; complete: boolean }): void {
    this.progress.end();
    const { counts, lines, edits } = this;
    const met = edits.kept + edits.overwritten > 0;
    const unfinished = this.unfinished.size;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    const file = counts.refused + this.incomplete > 0 ? this.refusedFile.path : null;
    if (json) {
      const next_line = complete ? null : this.nextLine;
      const of = met ? { edits_kept: edits.kept, edits_overwritten: edits.overwritten } : {};
      console.log(
        JSON.stringify({
          lines,
          ...counts,
          ...of,
          stored_without_a_field: this.incomplete,
          unfinished,
          next_line,
          refused_file: file,
          complete,
        }),
      );
      return;
    }
    const parts = [
      ...Object.entries(labels).map(([kind, label]) => `${counts[kind as Kind]} ${label}`),
      `${counts.refused} refused${file ? ` (see ${file})` : ''}`,
      ...(this.incomplete > 0 ? [`${this.incomplete} stored without a field`] : []),
      ...(counts.empty > 0 ? [`${counts.empty} empty`] : []),
      ...(unfinished > 0 ? [`${unfinished} not finished`] : []),
    ];
    console.log(`${countOf(lines, 'line')} in ${seconds} s: ${parts.join(', ')}`);
    if (met) console.log(`Edits by clients: ${edits.kept} kept, ${edits.overwritten} overwritten.`);
  }
}
