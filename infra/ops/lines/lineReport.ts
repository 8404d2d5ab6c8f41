import { appendFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EditsMet, UpsertResult } from '../../../lib/records/upsert/upsert.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { countOf } from '../../terminal/output.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { Line } from './lines.ts';

/** How many refused lines are shown on the screen. The file contains all of them. */
const shownMax = 20;

/** The outcomes of accepted lines, with their labels in the summary. */
const labels = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  deleted: 'deleted',
  outdated: 'older and ignored',
} satisfies Record<Exclude<UpsertResult<Stored>['kind'], 'refused'> | 'deleted', string>;

type Kind = keyof typeof labels;

/** Counts and reports the outcomes of lines. Each line that was read counts exactly once. */
export class LineReport {
  readonly counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, outdated: 0, refused: 0, empty: 0 };
  private readonly started = performance.now();
  private readonly progress: Progress;
  private readonly file: string;
  /** The numbers of the lines that were read but have no outcome yet, in order. */
  private readonly unfinished = new Set<number>();
  private lines = 0;
  private incomplete = 0;
  private readonly edits = { kept: 0, overwritten: 0 };

  /** @param file for the refused lines. A file of an earlier run is removed, because its lines would be mistaken for lines of this run. */
  constructor(progress: Progress, file: string) {
    this.progress = progress;
    this.file = resolve(file);
    rmSync(this.file, { force: true });
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

  /** Counts the client edits that a line contradicts. */
  met({ kept = [], overwritten = [] }: EditsMet): void {
    this.edits.kept += kept.length;
    this.edits.overwritten += overwritten.length;
  }

  /** Reports a field that cannot be read. The rest of the line is stored. */
  leftOut(line: Line, reason: string): void {
    this.incomplete += 1;
    this.keep(line, `stored without: ${reason}`);
    if (this.incomplete <= shownMax)
      this.progress.say(`line ${line.number} is stored without a field: ${reason}`);
  }

  refused(line: Line, reason: string): void {
    this.counts.refused += 1;
    this.unfinished.delete(line.number);
    this.keep(line, reason);
    if (this.counts.refused <= shownMax) this.progress.say(`line ${line.number}: ${reason}`);
    if (this.counts.refused === shownMax + 1) this.progress.say(`More refused lines are in ${this.file}`);
  }

  /** The number of the first unfinished line. All lines before it are done. */
  get nextLine(): number {
    const [first = this.lines + 1] = this.unfinished;
    return first;
  }

  /** @param complete whether the input was read to its end, and all lines are done */
  finish({ json, complete }: { json?: boolean; complete: boolean }): void {
    this.progress.end();
    const { counts, lines, edits, incomplete } = this;
    const unfinished = this.unfinished.size;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    const file = counts.refused + incomplete > 0 ? this.file : null;
    const parts = [
      ...Object.entries(labels).map(([kind, label]) => `${counts[kind as Kind]} ${label}`),
      `${counts.refused} refused${file ? ` (see ${file})` : ''}`,
      ...(incomplete > 0 ? [`${incomplete} stored without a field`] : []),
      ...(counts.empty > 0 ? [`${counts.empty} empty`] : []),
      ...(unfinished > 0 ? [`${unfinished} not finished`] : []),
    ];
    if (json)
      console.log(
        JSON.stringify({
          lines,
          ...counts,
          edits_kept: edits.kept,
          edits_overwritten: edits.overwritten,
          stored_without_a_field: incomplete,
          unfinished,
          next_line: complete ? null : this.nextLine,
          refused_file: file,
          complete,
        }),
      );
    else {
      console.log(`${countOf(lines, 'line')} in ${seconds} s: ${parts.join(', ')}`);
      if (edits.kept + edits.overwritten > 0)
        console.log(`Edits by clients: ${edits.kept} kept, ${edits.overwritten} overwritten.`);
    }
  }

  /** Keeps a line for a person to correct. It contains personal data, so only the owner of the file may read it. */
  private keep({ number, text }: Line, reason: string): void {
    appendFileSync(this.file, `${JSON.stringify({ line: number, reason, text })}\n`, { mode: 0o600 });
  }
}
