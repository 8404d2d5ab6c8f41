import { ProgressBar } from '../progressBar.ts';

const format = ' {bar} {percentage} % · {lines} lines · {rate} lines/s · {left} left';

/** A progress bar on a terminal for reading a file. There is none elsewhere, or when the size is unknown. */
export class LineProgress {
  private readonly bar: ProgressBar;
  private readonly bytesInAll: number;
  private readonly started = performance.now();
  private bytes = 0;
  private lines = 0;

  constructor(bytesInAll = 0) {
    this.bytesInAll = bytesInAll;
    this.bar = new ProgressBar(format, bytesInAll, () => this.figures());
  }

  /** Counts one more line. */
  advance(bytes: number): void {
    this.bytes += bytes;
    this.lines += 1;
    this.bar.moveTo(this.bytes);
  }

  /** Prints a line above the bar. */
  say(text: string): void {
    this.bar.say(text);
  }

  /** Removes the bar. */
  end(): void {
    this.bar.end();
  }

  private figures() {
    const seconds = (performance.now() - this.started) / 1000;
    const left = Math.ceil((seconds * (this.bytesInAll - this.bytes)) / this.bytes);
    return {
      lines: this.lines,
      rate: Math.round(this.lines / seconds),
      left: this.bytes === 0 ? '…' : `${Math.max(0, left)} s`,
    };
  }
}
