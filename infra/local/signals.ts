/** npm passes a Ctrl-C on that the terminal has sent to us as well: so soon after each other they are one. */
const sameWithinMs = 200;

/** How often to look whether who started us is still there. */
const lookEveryMs = 500;

/** How the process ends from now on. */
export interface Ending {
  /** Whether it has begun: what fails from then on is no news. */
  begun(): boolean;
  /** What there is to stop first; until this is said, nothing is. */
  by(stop: () => Promise<void>): void;
}

/**
 * Ends the process in good order at Ctrl-C and its like, and when who started it is gone. A second signal ends it at once, for whom
 * good order takes too long.
 */
export function endOnSignals(): Ending {
  let stop = async () => {};
  let since: number | undefined;
  const end = () => {
    since = performance.now();
    void stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (since === undefined) end();
      else if (performance.now() - since > sameWithinMs) process.exit(1);
    });
  // npm's script tells its shell's parent, npm, and then is no shell any more: npm may be gone before Node has begun.
  const parent = Number(process.env.STARTED_BY ?? process.ppid);
  setInterval(() => {
    if (since === undefined && process.ppid !== parent) end();
  }, lookEveryMs).unref();
  return {
    begun: () => since !== undefined,
    by: (work) => {
      stop = work;
    },
  };
}
