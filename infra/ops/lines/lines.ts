import { bodyBytesMax, withoutMark } from '../../../lib/values/json.ts';

/** A line of a file, as far as it can be read. */
export interface Line {
  /** From 1. */
  number: number;
  text: string;
  /** Why the text is not the exact content of the line, as a sentence that begins after the name of the line. */
  problem?: string;
  /** The size of the line in the file, with the line end. */
  bytes: number;
}

/** The limit of a request body. A file without line ends must not fill the memory. */
export const lineBytesMax = bodyBytesMax;

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

// A byte order mark is kept here: only at the beginning of a file it is not part of the text.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The lines of a stream. A line ends only with LF, CR LF or CR: node:readline also splits at U+2028 and similar characters,
 * which JSON may contain unescaped.
 */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  for await (const { content, bytes } of split(withLineFeeds(input))) {
    number += 1;
    const line = { number, bytes, ...decode(content) };
    // Some programs begin a file with a byte order mark.
    yield number === 1 ? { ...line, text: withoutMark(line.text) } : line;
  }
}

/** The same bytes, with LF for each CR that has no LF behind it. */
async function* withLineFeeds(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    const read = Buffer.concat([held, chunk]);
    // The rest after a CR at the end comes with the next chunk.
    const bytes = read.at(-1) === carriageReturn ? read.subarray(0, -1) : read;
    held = read.subarray(bytes.length);
    for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1))
      if (bytes[at + 1] !== lineFeed) bytes[at] = lineFeed;
    yield bytes;
  }
  if (held.length > 0) yield Buffer.of(lineFeed);
}

/** The content between line feeds; undefined for content that is too long. */
async function* split(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<{ content: Buffer | undefined; bytes: number }> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  const take = (endBytes: number) => {
    const line = {
      content: bytes <= lineBytesMax ? Buffer.concat(parts) : undefined,
      bytes: bytes + endBytes,
    };
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      yield take(1);
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield take(0);
}

function decode(content: Buffer | undefined): Pick<Line, 'text' | 'problem'> {
  if (!content) return { text: '', problem: `must be at most ${lineBytesMax} bytes` };
  try {
    return { text: utf8.decode(content).replace(/\r$/, '') };
  } catch {
    return { text: content.toString(), problem: 'must be UTF-8' };
  }
}
