import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Where the lines of the Lambdas are kept. */
export interface LambdaLog {
  write(line: string): void;
  close(): Promise<void>;
}

/** Begins the file anew. A disk that is full later costs lines, and no answers. @throws when it cannot be written to */
export async function openLambdaLog(file: string): Promise<LambdaLog> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  stream.on('error', ({ message }) => console.error(`Lines of the Lambdas are no longer kept: ${message}`));
  return {
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
