/**
 * Lets a command finish its work when its output is no longer read, as in "| head -1". Any other error of the output,
 * such as a full disk, is a failure.
 */
export function guardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(`The output could not be written: ${error.message}.`);
    process.exitCode = 1;
  });
  process.stderr.on('error', () => {});
}

/** Returns a number and what it counts: `1 line`, `2 entries`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`;
