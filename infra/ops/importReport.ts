import { appendFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import cliProgress from 'cli-progress';
import { OpsError } from './opsError.ts';

export interface ReportSettings {
  /** The size of what is read, if it is known: what the progress bar counts to. */
  bytes: number | undefined;
  refusedFile: string;
}

/** Refused lines that are shown on the screen; all of them are in the file. */
const shownMax = 20;

const format = ' {bar} {percentage} % · {lines} lines · {rate} lines/s · {left} left';

/** Keeps the counts, the progress bar and the file of refused lines. */
export class ImportReport {
  readonly counts = { created: 0, updated: 0, unchanged: 0, outdated: 0, refused: 0 };
  private readonly refusedFile: string;
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly started = performance.now();
  private lines = 0;
  private bytes = 0;
  private readonly bytesInAll: number | undefined;

  constructor({ bytes, refusedFile }: ReportSettings) {
    this.bytesInAll = bytes;
    this.refusedFile = resolve(refusedFile);
    // What is in it now is of an earlier run, and would be taken for this one's.
    rmSync(this.refusedFile, { force: true });
    if (bytes === undefined || !process.stderr.isTTY) return;
    this.bar = new cliProgress.SingleBar(
      { format, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    this.bar.start(bytes, 0, { lines: 0, rate: 0, left: '…' });
  }

  /** A line was read. */
  read(text: string): void {
    this.lines += 1;
    this.bytes += Buffer.byteLength(text) + 1;
    const seconds = (performance.now() - this.started) / 1000;
    const left = this.bytesInAll ? (seconds * (this.bytesInAll - this.bytes)) / this.bytes : 0;
    this.bar?.update(Math.min(this.bytes, this.bytesInAll ?? 0), {
      lines: this.lines,
      rate: Math.round(this.lines / seconds),
      left: `${Math.max(0, Math.ceil(left))} s`,
    });
  }

  done(kind: 'created' | 'updated' | 'unchanged' | 'outdated'): void {
    this.counts[kind] += 1;
  }

  refused(line: number, reason: string, text: string): void {
    this.counts.refused += 1;
    try {
      appendFileSync(this.refusedFile, `${JSON.stringify({ line, reason, text })}\n`);
    } catch (error) {
      throw new OpsError(
        `Refused lines cannot be written to ${this.refusedFile}: ${(error as Error).message}`,
      );
    }
    if (this.counts.refused <= shownMax) console.error(`line ${line}: ${reason}`);
    if (this.counts.refused === shownMax + 1) console.error(`More refused lines are in ${this.refusedFile}`);
  }

  finish({ json }: { json?: boolean }): void {
    this.bar?.stop();
    const { created, updated, unchanged, outdated, refused } = this.counts;
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1);
    if (json)
      console.log(
        JSON.stringify({
          lines: this.lines,
          ...this.counts,
          refused_file: refused > 0 ? this.refusedFile : null,
        }),
      );
    else
      console.log(
        `${this.lines} lines in ${seconds} s: ${created} created, ${updated} updated, ${unchanged} unchanged, ` +
          `${outdated} older than what is there, ${refused} refused${refused > 0 ? ` (see ${this.refusedFile})` : ''}`,
      );
  }
}
