import type { WriteStream } from 'node:tty';

/** Runs a step, such as `Making tables and queues`, and reports how long it took. Steps may run at the same time. @throws what the step throws */
export type ReportProgress = <T>(what: string, step: () => Promise<T>) => Promise<T>;

export const noProgress: ReportProgress = (_, step) => step();

/** Returns to the beginning of a terminal's line, and clears it. */
const clearLine = '\r\x1b[2K';

/**
 * Writes a line for each step when it ends: `Making tables and queues … 0.2 s`. A terminal also shows the steps that are running.
 * @returns `report` runs and reports a step; `end` clears the running steps, and must be called before other output
 */
export function progressReporter(output: Pick<WriteStream, 'isTTY' | 'write'>): {
  report: ReportProgress;
  end: () => void;
} {
  const running = new Set<string>();
  const show = (line: string) => {
    const shown = output.isTTY && running.size > 0 ? `${[...running].join(', ')} …` : '';
    const text = `${output.isTTY ? clearLine : ''}${line}${shown}`;
    if (text !== '') output.write(text);
  };
  const report: ReportProgress = async (what, step) => {
    const began = performance.now();
    running.add(what);
    show('');
    const result = await step();
    if (running.delete(what)) show(`${what} … ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return result;
  };
  const end = () => {
    if (running.size === 0) return;
    running.clear();
    show('');
  };
  return { report, end };
}

/** How often the line is redrawn, in milliseconds. */
const drawnEvery = 100;

/** Shows the progress of a command as a line on a terminal. It shows no line elsewhere, or if the total is unknown. */
export class Progress {
  count = 0;
  private done = 0;
  private readonly unit: string;
  private readonly total: number;
  private readonly note: () => string;
  private readonly started = performance.now();
  private drawn = 0;

  /** @param unit what is counted @param total the approximate amount of work; 0 if unknown @param note further text to show */
  constructor(unit: string, total = 0, note = () => '') {
    this.unit = unit;
    this.total = process.stderr.isTTY ? total : 0;
    this.note = note;
  }

  /** @param amount the share of the total, if the total counts another unit */
  advance(count: number, amount = count): void {
    this.count += count;
    this.done = Math.min(this.done + amount, this.total);
    const now = performance.now();
    if (this.done === 0 || now - this.drawn < drawnEvery) return;
    this.drawn = now;
    const seconds = (now - this.started) / 1000;
    const rate = Math.round(this.count / seconds);
    const left = Math.ceil((seconds * (this.total - this.done)) / this.done);
    const percent = Math.floor((100 * this.done) / this.total);
    process.stderr.write(
      `${clearLine}${percent} % · ${this.count} ${this.unit} · ${rate} ${this.unit}/s · ${left} s left${this.note()}`,
    );
  }

  /** Prints a line in the place of the progress, which is redrawn below it. */
  say(text: string): void {
    this.end();
    console.error(text);
  }

  /** Removes the line. */
  end(): void {
    if (this.drawn > 0) process.stderr.write(clearLine);
  }
}
