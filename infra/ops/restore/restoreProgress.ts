import { ProgressBar } from '../progressBar.ts';

const format = ' {bar} {percentage} % · {items} items · {rate} items/s';

/** A bar on a terminal that shows how much of a table has been read, of about as much as there is. */
export class RestoreProgress {
  private readonly bar: ProgressBar;
  private readonly started = performance.now();
  private items = 0;

  /** @param total about how many items there are; 0 when nobody knows */
  constructor(total: number) {
    this.bar = new ProgressBar(format, total, () => this.figures());
  }

  get read(): number {
    return this.items;
  }

  /** So many more items were read. */
  advance(count: number): void {
    this.items += count;
    this.bar.moveTo(this.items);
  }

  /** Prints a line above the bar. */
  say(text: string): void {
    this.bar.say(text);
  }

  /** Takes the bar away. */
  end(): void {
    this.bar.end();
  }

  private figures() {
    const seconds = (performance.now() - this.started) / 1000;
    return { items: this.items, rate: Math.round(this.items / seconds) };
  }
}
