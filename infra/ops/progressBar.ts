import cliProgress from 'cli-progress';

/** A bar on a terminal; nothing elsewhere, nor when nobody knows how much there is. */
export class ProgressBar {
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly total: number;
  private readonly figures: () => object;
  private value = 0;

  /** @param figures what the format shows beside the bar, at any moment */
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

  /** Takes the bar away. Its timer would otherwise keep the process alive. */
  end(): void {
    this.bar?.stop();
  }

  private draw(): void {
    this.bar?.start(this.total, this.value, this.figures());
  }
}
