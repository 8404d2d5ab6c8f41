import type { WriteStream } from 'node:tty';

/** Says what is being done until all is ready. */
export type ReportProgress = (what: string) => void;

/** For who has nobody to say it to. */
export const noProgress: ReportProgress = () => {};

/**
 * A line for each thing that is done, or on a terminal one line that the next is written over.
 * @returns what says the next thing, and what ends the line before something else is printed
 */
export function progressReporter(output: Pick<WriteStream, 'isTTY' | 'write'>): {
  say: ReportProgress;
  end: () => void;
} {
  let begun = false;
  const clear = () => {
    if (begun) output.write('\r\x1b[2K');
    begun = false;
  };
  if (!output.isTTY) return { say: (what) => output.write(`${what} …\n`), end: () => {} };
  return {
    say: (what) => {
      clear();
      output.write(`${what} …`);
      begun = true;
    },
    end: clear,
  };
}
