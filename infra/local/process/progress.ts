import type { WriteStream } from 'node:tty';

/** Reports the step that begins now, such as `Making tables and queues`. */
export type ReportProgress = (what: string) => void;

/** Reports nothing. */
export const noProgress: ReportProgress = () => {};

/**
 * Writes a line for each step. On a terminal, each line overwrites the one before.
 * @returns `report` reports a step; `end` clears the line and must be called before other output
 */
export function progressReporter(output: Pick<WriteStream, 'isTTY' | 'write'>): {
  report: ReportProgress;
  end: () => void;
} {
  let begun = false;
  const clear = () => {
    if (begun) output.write('\r\x1b[2K');
    begun = false;
  };
  if (!output.isTTY) return { report: (what) => output.write(`${what} …\n`), end: () => {} };
  return {
    report: (what) => {
      clear();
      output.write(`${what} …`);
      begun = true;
    },
    end: clear,
  };
}
