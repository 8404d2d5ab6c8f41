import { useLayoutEffect } from 'preact/hooks';
import type { Problem } from './callProblem.ts';
import { sessionState } from './sessionState.ts';
import { type Store, store, useStore } from './store.ts';

export interface Loading<T> {
  /** Stays while it is read again. */
  data?: T;
  problem?: Problem;
  isReading: boolean;
  again: () => void;
}

type State<T> = Omit<Loading<T>, 'again'>;

/** What the page knows of one thing. All components that show the thing share it, and its reads. */
interface Known<T> {
  state: Store<State<T>>;
  read: () => Promise<T>;
  /** How many components show it. */
  shown: number;
  /** The newest read, while it is under way. */
  reading?: object | undefined;
  /** Whether something was changed since its newest read began. */
  isOutdated: boolean;
}

const all = new Map<string, Known<unknown>>();

sessionState.follow(({ kind }) => {
  if (kind !== 'live') all.clear();
});

/** Data that was read before a change may be outdated: it is not shown in a new place. */
export function outdate(): void {
  for (const known of all.values()) known.isOutdated = true;
}

function knownOf<T>(of: string, read: () => Promise<T>): Known<T> {
  const known = (all.get(of) ?? {
    state: store({ isReading: true }),
    shown: 0,
    isOutdated: false,
  }) as Known<T>;
  known.read = read;
  all.set(of, known as Known<unknown>);
  const { data, isReading } = known.state.get();
  if (known.shown === 0 && (known.isOutdated || !isReading))
    known.state.set({ isReading: true, ...(known.isOutdated || data === undefined ? {} : { data }) });
  return known;
}

function readAgain<T>(known: Known<T>): void {
  const reading = {};
  known.reading = reading;
  known.isOutdated = false;
  const show = (state: State<T>) => {
    if (known.reading !== reading) return;
    known.reading = undefined;
    known.state.set(state);
  };
  known.state.set({ ...known.state.get(), isReading: true });
  known.read().then(
    (data) => show({ data, isReading: false }),
    (problem: Problem) => {
      const { data } = known.state.get();
      // Data that no longer exists is not shown.
      const isKept = data !== undefined && problem.status !== 404;
      show({ problem, isReading: false, ...(isKept ? { data } : {}) });
    },
  );
}

/** Joins a read that is under way. */
function begin<T>(known: Known<T>): void {
  if (!known.reading || known.isOutdated) readAgain(known);
}

/** Begins to read what will be shown. */
export const readAhead = <T>(read: () => Promise<T>, of: string): void => begin(knownOf(of, read));

/** The data of a name, as far as it was read. */
export const readBefore = (of: string): unknown => all.get(of)?.state.get().data;

/** Shows other data under a name. */
export function replaceData(of: string, data: unknown): void {
  const known = all.get(of);
  known?.state.set({ ...known.state.get(), data });
}

/** Several reads that are shown as one, which fails when one of them does. */
export function together<T>(first: Loading<T>, ...others: readonly Loading<unknown>[]): Loading<T> {
  const all = [first, ...others];
  const { problem } = all.find((one) => one.problem) ?? {};
  const isReading = all.some((one) => one.isReading);
  return { ...first, isReading, ...(problem && { problem }), again: readShown };
}

/** Reads again all that is shown. */
export function readShown(): void {
  for (const known of all.values()) if (known.shown > 0) readAgain(known);
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') readShown();
});

/** How long after an effect on a receiver the page is read again: most receivers have responded by then. */
const respondedMs = [0, 1500, 5000];

/** Reads again all that is shown, also after a while, when a receiver has responded. */
export function readResponded(): void {
  for (const ms of respondedMs) setTimeout(readShown, ms);
}

/**
 * Reads when a component is first drawn, when `of` changes, when the page is looked at again, and when asked to. What was read before
 * is shown at once, and is then read again.
 * @param of names what is read, in all of the page
 */
export function useLoading<T>(read: () => Promise<T>, of: string): Loading<T> {
  const known = knownOf(of, read);
  const state = useStore(known.state);
  useLayoutEffect(() => {
    known.shown += 1;
    begin(known);
    return () => {
      known.shown -= 1;
    };
  }, [known]);
  return { ...state, again: () => readAgain(known) };
}
