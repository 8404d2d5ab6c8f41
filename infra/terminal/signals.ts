import { constants } from 'node:os';

/** One Ctrl-C arrives twice, from the terminal and from npm. Signals within this time count as one. */
const sameWithinMs = 200;

/** How often to check that the parent process still runs. */
const lookEveryMs = 500;

export interface Shutdown {
  /** Whether the shutdown has begun. Errors from then on need no report. */
  hasBegun(): boolean;
  /** Sets what to stop before the process ends. */
  onShutdown(stop: () => Promise<void>): void;
  /** Reports that the start is complete. From then on, a signal is the expected end, and the exit code is 0. */
  onReady(): void;
}

/** Returns the exit code that shells give to a process that a signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * Calls `end` at the first SIGINT, SIGTERM or SIGHUP, and exits at once at the second.
 * @returns removes the handlers. Keep them even after the work has stopped: the second signal of one Ctrl-C may come then, and would end the
 *   process without its exit code.
 */
export function onSignals(end: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let endingSince: number | undefined;
  const begin = (signal: NodeJS.Signals) => {
    if (endingSince === undefined) {
      endingSince = performance.now();
      end(signal);
    } else if (performance.now() - endingSince > sameWithinMs) process.exit(1);
  };
  for (const signal of signals) process.on(signal, begin);
  return () => {
    for (const signal of signals) process.off(signal, begin);
  };
}

/**
 * Calls `end` when the parent process has ended. The npm scripts set STARTED_BY to the id of npm and replace their shell by Node, so the parent
 * is npm. `process.ppid` alone comes too late, because npm may end before Node starts.
 */
export function onParentEnd(end: () => void): void {
  const parent = Number(process.env.STARTED_BY ?? process.ppid);
  // The variable is not true for processes that this one starts.
  delete process.env.STARTED_BY;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, lookEveryMs).unref();
}

/**
 * Ends the process in good order at a signal, or when its parent has ended. A second signal ends it at once. Before `onReady`, the exit code is
 * that of the signal.
 */
export function shutDownOnSignals(): Shutdown {
  let stop = async () => {};
  let isEnding = false;
  let isReady = false;
  const end = (signal: NodeJS.Signals) => {
    if (isEnding) return;
    isEnding = true;
    const exitCode = isReady ? 0 : exitCodeOf(signal);
    void stop().then(() => process.exit(exitCode));
  };
  onSignals(end);
  onParentEnd(() => end('SIGHUP'));
  return {
    hasBegun: () => isEnding,
    onShutdown: (work) => {
      stop = work;
    },
    onReady: () => {
      isReady = true;
    },
  };
}
