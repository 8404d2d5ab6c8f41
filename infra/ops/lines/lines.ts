import { bodyBytesMax } from '../../../lib/contract/values/json.ts';

/** A line of a file, as far as it can be read. */
export interface Line {
  /** From 1. */
  number: number;
  text: string;
  /** Why the text is not what the line says, as a sentence that begins after the name of the line. */
  problem?: string;
  /** What it takes of the file, with its end. */
  bytes: number;
}

/** As long as a body of a request may be; a file without line ends must not have to fit into memory. */
export const lineBytesMax = bodyBytesMax;

const lineFeed = 0x0a;

// A byte order mark is kept: only at the beginning of a file it is none of the text.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The lines of a stream, which end with LF or CR LF and with nothing else: JSON may hold U+2028 and its like as they are,
 * where node:readline would break the line.
 */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  for await (const { content, bytes } of split(input)) {
    number += 1;
    const line = { number, bytes, ...decode(content) };
    // Some programs begin a file with a byte order mark.
    yield number === 1 ? { ...line, text: line.text.replace(/^\uFEFF/, '') } : line;
  }
}

/** What stands between line feeds; a content of undefined for what is too long to be held. */
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
