import { closeSync, existsSync, ftruncateSync, openSync, readSync, renameSync, writeSync } from 'node:fs';

/**
 * A file of JSON lines that has its name once it is whole: until then it is `NAME.part`. Only its owner can read it, because it has
 * data of people.
 */
export class LineFile {
  private readonly part: string;
  private readonly path: string;
  private readonly descriptor: number;
  private position: number;
  /** How many lines it has. */
  lines: number;

  /** @param lines how many of the lines of an earlier run stay, at most */
  constructor(path: string, lines: number) {
    this.path = path;
    this.part = `${path}.part`;
    this.descriptor = openSync(this.part, existsSync(this.part) ? 'r+' : 'w+', 0o600);
    const kept = wholeLines(this.descriptor, lines);
    ftruncateSync(this.descriptor, kept.bytes);
    this.lines = kept.lines;
    this.position = kept.bytes;
  }

  /** @param values undefined for an empty line */
  add(values: readonly (object | undefined)[]): void {
    const text = Buffer.from(values.map((value) => `${JSON.stringify(value) ?? ''}\n`).join(''));
    for (let at = 0; at < text.length; ) {
      const written = writeSync(this.descriptor, text, at, text.length - at, this.position);
      at += written;
      this.position += written;
    }
    this.lines += values.length;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** Gives it its name. */
  finish(): void {
    this.close();
    renameSync(this.part, this.path);
  }
}

/** How many whole lines a file has; 0 when there is none. */
export function linesIn(path: string): number {
  if (!existsSync(path)) return 0;
  const descriptor = openSync(path, 'r');
  try {
    return wholeLines(descriptor, Number.POSITIVE_INFINITY).lines;
  } finally {
    closeSync(descriptor);
  }
}

const lineFeed = 10;

/** The whole lines of a file, the first ones up to `most`, and their bytes. */
function wholeLines(descriptor: number, most: number): { lines: number; bytes: number } {
  const chunk = Buffer.alloc(65_536);
  const whole = { lines: 0, bytes: 0 };
  for (let offset = 0; whole.lines < most; ) {
    const length = readSync(descriptor, chunk, 0, chunk.length, offset);
    if (length === 0) break;
    const read = chunk.subarray(0, length);
    for (
      let at = read.indexOf(lineFeed);
      at >= 0 && whole.lines < most;
      at = read.indexOf(lineFeed, at + 1)
    ) {
      whole.lines += 1;
      whole.bytes = offset + at + 1;
    }
    offset += length;
  }
  return whole;
}
