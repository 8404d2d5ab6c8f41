/** npm passes a Ctrl-C on that the terminal has sent to us as well: so soon after each other they are one. */
const sameWithinMs = 200;

/** How often to look whether npm is still there. */
const lookEveryMs = 500;

/** Ends the process in good order at Ctrl-C and its like, and at once when that is not soon enough for somebody. */
export function endOnSignals(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const end = () => {
    stoppingSince = performance.now();
    void stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stoppingSince === undefined) end();
      else if (performance.now() - stoppingSince > sameWithinMs) process.exit(1);
    });
  // A SIGTERM for npm reaches no further than the shell between it and us, which ends and leaves us behind.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => {
      if (process.ppid !== parent && stoppingSince === undefined) end();
    }, lookEveryMs).unref();
}
