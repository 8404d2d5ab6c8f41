import cliProgress from 'cli-progress';

const format = ' {bar} {percentage} % · {count} {unit} · {rate} {unit}/s · {left} left{note}';

/** How far a command has come, as a bar on a terminal. There is no bar elsewhere, or when the total is unknown. */
export class Progress {
  count = 0;
  private done = 0;
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly unit: string;
  private readonly total: number;
  private readonly note: () => string;
  private readonly started = performance.now();

  /** @param unit what is counted @param total about how much there is to do; 0 when unknown @param note what else is shown */
  constructor(unit: string, total = 0, note = () => '') {
    this.unit = unit;
    this.total = total;
    this.note = note;
    if (total === 0 || !process.stderr.isTTY) return;
    this.bar = new cliProgress.SingleBar(
      { format, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    this.draw();
  }

  /** @param amount how much of the total it is, where that is counted in another unit */
  advance(count: number, amount = count): void {
    this.count += count;
    this.done = Math.min(this.done + amount, this.total);
    this.bar?.update(this.done, this.figures());
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
    this.bar?.start(this.total, this.done, this.figures());
  }

  private figures() {
    const { count, unit } = this;
    const seconds = (performance.now() - this.started) / 1000;
    const left = Math.ceil((seconds * (this.total - this.done)) / this.done);
    return {
      count,
      unit,
      rate: Math.round(count / seconds),
      left: this.done === 0 ? '…' : `${left} s`,
      note: this.note(),
    };
  }
}
