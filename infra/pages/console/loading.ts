import { useEffect, useRef, useState } from 'preact/hooks';
import { forgetRead, readBefore } from './cache.ts';
import type { Problem } from './call.ts';

export interface Loading<T> {
  /** Stays while it is read again. */
  data?: T;
  problem?: Problem;
  isReading: boolean;
  again: () => void;
}

type State<T> = { of: string } & Omit<Loading<T>, 'again'>;

/**
 * Reads when a component is first drawn, when `of` changes, when the page is looked at again, and when asked to. What was read before is shown at once, and is then
 * read again.
 * @param of names what is read, in all of the page
 */
export function useLoading<T>(read: () => Promise<T>, of: string): Loading<T> {
  const begun = (): State<T> => {
    const data = readBefore.get(of) as T | undefined;
    return { of, isReading: true, ...(data === undefined ? {} : { data }) };
  };
  const [last, show] = useState<State<T>>(begun);
  // Data of something else is never shown as if it were of this.
  const { of: _, ...state } = last.of === of ? last : begun();
  const latest = useRef(0);
  const again = (isFirst = false) => {
    latest.current += 1;
    const turn = latest.current;
    show((before) => (isFirst ? begun() : { ...before, isReading: true }));
    read().then(
      (data) => {
        if (turn !== latest.current) return;
        readBefore.set(of, data);
        show({ of, data, isReading: false });
      },
      (problem: Problem) => {
        if (turn !== latest.current) return;
        if (problem.status === 404) forgetRead(of);
        show((before) => ({
          of,
          problem,
          isReading: false,
          ...(problem.status === 404 || before.data === undefined ? {} : { data: before.data }),
        }));
      },
    );
  };
  useEffect(() => {
    again(true);
    const seen = () => document.visibilityState === 'visible' && again();
    document.addEventListener('visibilitychange', seen);
    return () => {
      latest.current += 1;
      document.removeEventListener('visibilitychange', seen);
    };
  }, [of]);
  return { ...state, again: () => again() };
}
