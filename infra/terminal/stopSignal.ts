import { onSignals } from './signals.ts';

/** Returns a signal that aborts at Ctrl-C, so that a command can finish the work that it has begun. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  onSignals(() => controller.abort());
  return controller.signal;
}
