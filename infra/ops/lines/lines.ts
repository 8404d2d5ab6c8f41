import { bodyBytesMax, withoutMark } from '../../../lib/schemas/json.ts';

/** A line of a file, or the readable part of it. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** Why the text is not the exact content of the line, as a sentence that follows the name of the line. */
  problem?: string;
  /** The approximate size of the line in the file. */
  bytes: number;
}

/** The limit of a request body. It keeps a file without line ends from filling the memory. */
export const lineBytesMax = bodyBytesMax;

const lineFeed = 0x0a;

// Keeps byte order marks, because only a mark at the beginning of a file is not part of the text.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads lines that end with LF or CR LF. node:readline would also split at U+2028 and similar characters, which JSON may contain. */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed, from)) {
      yield lineOf(++number, rest.subarray(from, end));
      from = end + 1;
    }
    // One byte too many is enough to refuse a line.
    rest = rest.subarray(from, from + lineBytesMax + 1);
  }
  if (rest.length > 0) yield lineOf(++number, rest);
}

function lineOf(number: number, content: Buffer): Line {
  const line = { number, bytes: content.length + 1 };
  if (content.length > lineBytesMax)
    return { ...line, text: '', problem: `must be at most ${lineBytesMax} bytes` };
  try {
    const text = utf8.decode(content).replace(/\r$/, '');
    // Some programs begin a file with a byte order mark.
    return { ...line, text: number === 1 ? withoutMark(text) : text };
  } catch {
    return { ...line, text: content.toString(), problem: 'must be UTF-8' };
  }
}
