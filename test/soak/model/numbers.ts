/** Whole numbers by index, in four bytes each: an array of objects would grow to gigabytes in an hour. What was never set is 0. */
export class Numbers {
  private values = new Int32Array(1024);

  get(at: number): number {
    return this.values[at] ?? 0;
  }

  set(at: number, value: number): void {
    if (at >= this.values.length) {
      const larger = new Int32Array(2 ** Math.ceil(Math.log2(at + 1)));
      larger.set(this.values);
      this.values = larger;
    }
    this.values[at] = value;
  }
}
