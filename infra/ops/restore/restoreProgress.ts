import { ProgressBar } from '../progressBar.ts';

const format = ' {bar} {percentage} % · {items} items · {rate} items/s';

/** A progress bar on a terminal for reading a table. Its total is an estimate. */
export class RestoreProgress {
  private readonly bar: ProgressBar;
  private readonly started = performance.now();
  private items = 0;

  /** @param total about how many items there are; 0 when unknown */
  constructor(total: number) {
    this.bar = new ProgressBar(format, total, () => this.figures());
  }

  get read(): number {
    return this.items;
  }

  /** Counts items that were read. */
  advance(count: number): void {
    this.items += count;
    this.bar.moveTo(this.items);
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
    return { items: this.items, rate: Math.round(this.items / seconds) };
  }
}
