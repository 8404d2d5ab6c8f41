import { once } from 'node:events';
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { OpsError } from '../../terminal/opsError.ts';

export interface Source {
  stats: Stats;
  /** @throws OpsError when they cannot be read to the end */
  chunks: AsyncIterable<Buffer>;
  /** Ends the chunks: their reader gets this error. */
  stop(error: OpsError): void;
}

/** Opens a file, or standard input for `-`. @throws OpsError when it cannot be read, or does not hold JSON lines */
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
