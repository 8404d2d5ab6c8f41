import cliProgress from 'cli-progress';

/** A progress bar on a terminal. There is none elsewhere, or when the total is unknown. */
export class ProgressBar {
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly total: number;
  private readonly figures: () => object;
  private value = 0;

  /** @param figures the current values for the placeholders of the format */
  constructor(format: string, total: number, figures: () => object) {
    this.total = total;
    this.figures = figures;
    if (total === 0 || !process.stderr.isTTY) return;
    this.bar = new cliProgress.SingleBar(
      { format, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    this.draw();
  }

  moveTo(value: number): void {
    this.value = Math.min(value, this.total);
    this.bar?.update(this.value, this.figures());
  }

  /** Prints a line above the bar. */
  say(text: string): void {
    this.bar?.stop();
    console.error(text);
    this.draw();
  }

  /** Removes the bar. Its timer would otherwise keep the process alive. */
  end(): void {
    this.bar?.stop();
  }

  private draw(): void {
    this.bar?.start(this.total, this.value, this.figures());
  }
}
