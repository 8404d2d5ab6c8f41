/** npm passes a Ctrl-C on that the terminal has sent to us as well: so soon after each other they are one. */
const sameWithinMs = 200;

/** How often to look whether who started us is still there. */
const lookEveryMs = 500;

/** How the process ends from now on. */
export interface Shutdown {
  /** Whether it has begun: what fails from then on is no news. */
  hasBegun(): boolean;
  /** What there is to stop first; until this is said, nothing is. */
  onShutdown(stop: () => Promise<void>): void;
}

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

/** Ends the process in good order at Ctrl-C and its like, and when who started it is gone. A second signal ends it at once. */
export function shutDownOnSignals(): Shutdown {
  let stop = async () => {};
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    void stop().then(() => process.exit(0));
  };
  onSignals(end);
  // npm's script tells its shell's parent, npm, and then is no shell any more: npm may be gone before Node has begun.
  const parent = Number(process.env.STARTED_BY ?? process.ppid);
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, lookEveryMs).unref();
  return {
    hasBegun: () => isEnding,
    onShutdown: (work) => {
      stop = work;
    },
  };
}
