/** npm passes a Ctrl-C on that the terminal has sent to us as well: so soon after each other they are one. */
const sameWithinMs = 200;

/** How often to look whether npm is still there. */
const lookEveryMs = 500;

/** Begins to end at the first Ctrl-C or its like, and ends at once at a second one. */
export function onSignals(end: (signal: NodeJS.Signals) => void): void {
  let endingSince: number | undefined;
  const begin = (signal: NodeJS.Signals) => {
    if (endingSince === undefined) {
      endingSince = performance.now();
      end(signal);
    } else if (performance.now() - endingSince > sameWithinMs) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, begin);
}

/** Ends the process in good order at Ctrl-C and its like, and at once when that is not soon enough for somebody. */
export function endOnSignals(stop: () => Promise<void>): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    void stop().then(() => process.exit(0));
  };
  onSignals(end);
  // A SIGTERM for npm reaches no further than the shell between it and us, which ends and leaves us behind.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => {
      if (process.ppid !== parent) end();
    }, lookEveryMs).unref();
}
