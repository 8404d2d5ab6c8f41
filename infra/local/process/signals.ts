/** One Ctrl-C arrives twice, from the terminal and from npm. Signals within this time count as one. */
const sameWithinMs = 200;

/** How often to check that the parent process still runs. */
const lookEveryMs = 500;

/** The end of the process after a signal. */
export interface Shutdown {
  /** Whether the shutdown has begun. Errors from then on need no report. */
  hasBegun(): boolean;
  /** Sets what to stop before the process ends. */
  onShutdown(stop: () => Promise<void>): void;
}

/** Calls `end` at the first SIGINT, SIGTERM or SIGHUP, and exits at once at a second one. */
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

/** Ends the process in good order at a signal, or when its parent has ended. A second signal ends it at once. */
export function shutDownOnSignals(): Shutdown {
  let stop = async () => {};
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    void stop().then(() => process.exit(0));
  };
  onSignals(end);
  // The npm script sets STARTED_BY to the id of npm and replaces its shell by Node. `process.ppid` alone is too late: npm may
  // end before Node starts.
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
