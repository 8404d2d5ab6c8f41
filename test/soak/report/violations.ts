/** The most violations that are printed: after a fault of the product there may be one for each record. */
const shownMax = 50;

/** What must not happen, and has. */
export class Violations {
  readonly shown: string[] = [];
  count = 0;

  /** @param what a sentence; undefined when nothing is wrong */
  add(what: string | undefined): void {
    if (what === undefined) return;
    this.count += 1;
    if (this.shown.length < shownMax) this.shown.push(`${new Date().toISOString()} ${what}`);
  }
}
