import type { WriteStream } from 'node:tty';

/**
 * Does a step, such as `Making tables and queues`, and reports how long it took. Steps may run at the same time.
 * @throws what the step throws
 */
export type ReportProgress = <T>(what: string, step: () => Promise<T>) => Promise<T>;

export const noProgress: ReportProgress = (_, step) => step();

/**
 * Writes a line for each step when it ends: `Making tables and queues … 0.2 s`. A terminal also shows the steps that are running.
 * @returns `report` does and reports a step; `end` clears what is shown of running steps, and must be called before other output
 */
export function progressReporter(output: Pick<WriteStream, 'isTTY' | 'write'>): {
  report: ReportProgress;
  end: () => void;
} {
  const running = new Set<string>();
  const show = (line: string) => {
    const shown = output.isTTY && running.size > 0 ? `${[...running].join(', ')} …` : '';
    const text = `${output.isTTY ? '\r\x1b[2K' : ''}${line}${shown}`;
    if (text !== '') output.write(text);
  };
  const report: ReportProgress = async (what, step) => {
    const began = performance.now();
    running.add(what);
    show('');
    const result = await step();
    if (running.delete(what)) show(`${what} … ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return result;
  };
  const end = () => {
    if (running.size === 0) return;
    running.clear();
    show('');
  };
  return { report, end };
}
