import { once } from 'node:events';
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { bodyBytesMax, withoutMark } from '../../../lib/values/json.ts';
import { OpsError } from '../../terminal/opsError.ts';

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
    // What is behind a CR at the end comes with the next chunk.
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

/** The input of an import. */
interface Source {
  stats: Stats;
  /** @throws OpsError when they cannot be read to the end */
  chunks: AsyncIterable<Buffer>;
  /** Ends the chunks: their reader gets this error. */
  stop(error: OpsError): void;
}

/**
 * Opens a file, or standard input for `-`.
 * @throws OpsError when it cannot be read, or does not hold JSON lines
 */
export async function openSource(file: string): Promise<Source> {
  const name = file === '-' ? 'Standard input' : file;
  try {
    const stats = file === '-' ? fstatSync(0) : statSync(file);
    const isReadable = stats.isFile() || stats.isFIFO() || (file === '-' && !stats.isDirectory());
    if (!isReadable) throw new Error('it is not a file');
    if (file === '-') return await sourceOf(name, process.stdin, stats);
    const input = createReadStream(file);
    await once(input, 'open');
    return await sourceOf(name, input, stats);
  } catch (error) {
    throw error instanceof OpsError ? error : unreadable(name, error);
  }
}

const sourceOf = async (name: string, input: Readable, stats: Stats): Promise<Source> => ({
  stats,
  chunks: await linesFrom(name, chunksOf(name, input)),
  stop: (error) => void input.destroy(error),
});

async function* chunksOf(name: string, input: Readable): AsyncGenerator<Buffer> {
  try {
    yield* input;
  } catch (error) {
    throw error instanceof OpsError ? error : unreadable(name, error);
  }
}

/**
 * Passes on chunks that can be JSON lines, by how they begin.
 * @throws OpsError when they cannot: one message instead of one for each line
 */
async function linesFrom(name: string, chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  let read: Buffer = Buffer.alloc(0);
  const beginning = () =>
    read
      .toString()
      .replace(/^\uFEFF/, '')
      .trimStart();
  // A byte order mark has three bytes.
  while (read.length <= 3 || beginning() === '') {
    const next = await chunks.next();
    if (next.done) break;
    read = Buffer.concat([read, next.value]);
  }
  const begins = beginning();
  if (!begins.startsWith('{')) {
    await chunks.return(undefined);
    const what = begins === '' ? 'is empty' : `begins with ${JSON.stringify(begins.slice(0, 20))}`;
    throw new OpsError(`${name} ${what}. It must hold one JSON object a line, as text in UTF-8.`);
  }
  return joined(read, chunks);
}

async function* joined(read: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield read;
  yield* rest;
}

const unreadable = (name: string, error: unknown) =>
  new OpsError(`${name} cannot be read: ${(error as Error).message}`);
