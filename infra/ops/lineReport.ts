import type { LineProgress } from './lineProgress.ts';
import type { Line } from './lines.ts';
import type { RefusedFile } from './refusedFile.ts';

/** Refused lines that are shown on the screen; all of them are in the file. */
const shownMax = 20;

/** Counts what became of the lines, and tells it. */
export class LineReport<Kind extends string> {
  readonly counts: Record<Kind | 'refused', number>;
  private readonly labels: Readonly<Record<Kind, string>>;
  private readonly started = performance.now();
  private readonly progress: LineProgress;
  private readonly refusedFile: RefusedFile;
  private lines = 0;

  /** @param labels what can become of a line that is not refused, and how that is said of several */
  constructor(labels: Readonly<Record<Kind, string>>, progress: LineProgress, refusedFile: RefusedFile) {
    const kinds = [...Object.keys(labels), 'refused'] as (Kind | 'refused')[];
    this.counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind | 'refused', number>;
    this.labels = labels;
    this.progress = progress;
    this.refusedFile = refusedFile;
  }

  read({ bytes }: Line): void {
    this.lines += 1;
    this.progress.advance(bytes);
  }

  done(kind: Kind, count = 1): void {
    this.counts[kind] += count;
  }

  refused({ number, text }: Line, reason: string): void {
    this.counts.refused += 1;
    this.refusedFile.add({ line: number, reason, text });
    if (this.counts.refused <= shownMax) this.progress.say(`line ${number}: ${reason}`);
    if (this.counts.refused === shownMax + 1)
      this.progress.say(`More refused lines are in ${this.refusedFile.path}`);
  }

  /** @param complete whether the input was read to its end */
  finish({ json, complete }: { json?: boolean; complete: boolean }): void {
    this.progress.end();
    const { counts, lines } = this;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    const file = counts.refused > 0 ? this.refusedFile.path : null;
    if (json) {
      console.log(JSON.stringify({ lines, ...counts, refused_file: file, complete }));
      return;
    }
    const told = Object.entries<string>(this.labels).map(
      ([kind, label]) => `${counts[kind as Kind]} ${label}`,
    );
    const refused = `${counts.refused} refused${file ? ` (see ${file})` : ''}`;
    console.log(`${lines} lines in ${seconds} s: ${[...told, refused].join(', ')}`);
  }
}
