import cliProgress from 'cli-progress';

const format = ' {bar} {percentage} % · {lines} lines · {rate} lines/s · {left} left';

/** A bar on a terminal that shows how far a file has been read; none elsewhere, nor when nobody knows how much there is to read. */
export class LineProgress {
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly bytesInAll: number;
  private readonly started = performance.now();
  private bytes = 0;
  private lines = 0;

  constructor(bytesInAll = 0) {
    this.bytesInAll = bytesInAll;
    if (bytesInAll === 0 || !process.stderr.isTTY) return;
    this.bar = new cliProgress.SingleBar(
      { format, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    this.draw();
  }

  /** One more line was read. */
  advance(bytes: number): void {
    this.bytes += bytes;
    this.lines += 1;
    this.bar?.update(this.bytes, this.figures());
  }

  /** Prints a line above the bar. */
  say(text: string): void {
    this.bar?.stop();
    console.error(text);
    this.draw();
  }

  /** Takes the bar away. Its timer would otherwise keep the process alive. */
  end(): void {
    this.bar?.stop();
  }

  private draw(): void {
    this.bar?.start(this.bytesInAll, this.bytes, this.figures());
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
