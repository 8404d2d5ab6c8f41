import cliProgress from 'cli-progress';

const format = ' {bar} {percentage} % · {items} items · {rate} items/s';

/** A bar on a terminal that shows how much of a table has been read, of about as much as there is; none elsewhere. */
export class RestoreProgress {
  private readonly bar: cliProgress.SingleBar | undefined;
  private readonly total: number;
  private readonly started = performance.now();
  private items = 0;

  /** @param total about how many items there are; 0 when nobody knows */
  constructor(total: number) {
    this.total = total;
    if (total === 0 || !process.stderr.isTTY) return;
    this.bar = new cliProgress.SingleBar(
      { format, clearOnComplete: true },
      cliProgress.Presets.shades_classic,
    );
    this.draw();
  }

  get read(): number {
    return this.items;
  }

  /** So many more items were read. */
  advance(count: number): void {
    this.items += count;
    this.bar?.update(Math.min(this.items, this.total), this.figures());
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
    this.bar?.start(this.total, Math.min(this.items, this.total), this.figures());
  }

  private figures() {
    const seconds = (performance.now() - this.started) / 1000;
    return { items: this.items, rate: Math.round(this.items / seconds) };
  }
}
