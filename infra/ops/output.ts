/**
 * Lets a command go on when nobody reads any more what it prints, as in "| head -1": what it does is not half done for that.
 * What cannot be written for another reason, as on a full disk, is a failure.
 */
export function guardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    console.error(`What was to be printed could not be written: ${error.message}.`);
    process.exitCode = 1;
  });
  process.stderr.on('error', () => {});
}
