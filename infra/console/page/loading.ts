import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from './call.ts';

export interface Loading<T> {
  /** What was read last; it stays while it is read again. */
  data?: T;
  problem?: Problem;
  isReading: boolean;
  again: () => void;
}

/** Reads when a component is first drawn, when `of` changes, and when asked to. */
export function useLoading<T>(read: () => Promise<T>, of: string): Loading<T> {
  const [state, show] = useState<Omit<Loading<T>, 'again'>>({ isReading: true });
  const latest = useRef(0);
  const again = (forget = false) => {
    latest.current += 1;
    const turn = latest.current;
    show((before) => (forget ? { isReading: true } : { ...before, isReading: true }));
    read().then(
      (data) => turn === latest.current && show({ data, isReading: false }),
      (problem) => turn === latest.current && show((before) => ({ ...before, problem, isReading: false })),
    );
  };
  useEffect(() => {
    again(true);
    return () => {
      latest.current += 1;
    };
  }, [of]);
  return { ...state, again: () => again() };
}
