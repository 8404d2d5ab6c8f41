import { onSignals } from './signals.ts';

/** Aborted at Ctrl-C, so that a command finishes the work that it has begun. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  onSignals(() => controller.abort());
  return controller.signal;
}
