import type { ImportProgress } from './importProgress.ts';
import type { Line } from './lines.ts';
import type { RefusedFile } from './refusedFile.ts';

/** Refused lines that are shown on the screen; all of them are in the file. */
const shownMax = 20;

/** Counts what became of the lines, and tells it. */
export class ImportReport {
  readonly counts = { created: 0, updated: 0, unchanged: 0, outdated: 0, refused: 0 };
  private readonly started = performance.now();
  private readonly progress: ImportProgress;
  private readonly refusedFile: RefusedFile;
  private lines = 0;

  constructor(progress: ImportProgress, refusedFile: RefusedFile) {
    this.progress = progress;
    this.refusedFile = refusedFile;
  }

  read({ bytes }: Line): void {
    this.lines += 1;
    this.progress.advance(bytes);
  }

  done(kind: 'created' | 'updated' | 'unchanged' | 'outdated'): void {
    this.counts[kind] += 1;
  }

  refused({ number, text }: Line, reason: string): void {
    this.counts.refused += 1;
    this.refusedFile.add({ line: number, reason, text });
    if (this.counts.refused <= shownMax) this.progress.say(`line ${number}: ${reason}`);
    if (this.counts.refused === shownMax + 1)
      this.progress.say(`More refused lines are in ${this.refusedFile.path}`);
  }

  /** @param complete whether the input was imported to its end */
  finish({ json, complete }: { json?: boolean; complete: boolean }): void {
    this.progress.end();
    const { created, updated, unchanged, outdated, refused } = this.counts;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    const file = refused > 0 ? this.refusedFile.path : null;
    if (json)
      console.log(JSON.stringify({ lines: this.lines, ...this.counts, refused_file: file, complete }));
    else
      console.log(
        `${this.lines} lines in ${seconds} s: ${created} created, ${updated} updated, ${unchanged} unchanged, ` +
          `${outdated} older than what is there, ${refused} refused${file ? ` (see ${file})` : ''}`,
      );
    if (!complete)
      console.error(
        'The import ended early. It can be run again safely: what has been imported is found by its external_id.',
      );
  }
}
