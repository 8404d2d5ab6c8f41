import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** The log file of all Lambdas. */
export interface LambdaLog {
  write(line: string): void;
  close(): Promise<void>;
}

/** Empties the file. A later write error, such as a full disk, loses lines but stops nothing. @throws when it cannot be written to */
export async function openLambdaLog(file: string): Promise<LambdaLog> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  stream.on('error', ({ message }) => console.error(`The log of the Lambdas cannot be written: ${message}`));
  return {
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
