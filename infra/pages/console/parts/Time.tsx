import { exactly, fromNow, onDay } from '../shownTimes.ts';
import { store, useStore } from '../store.ts';
import * as texts from './partTexts.ts';

/** Changes as times get older, so that "just now" does not stay. */
const tick = store(0);
setInterval(() => document.visibilityState === 'visible' && tick.set(tick.get() + 1), 30_000);

/** A time, by default as its distance from now. */
export function Time({ at, how = fromNow }: { at: string; how?: (iso: string) => string }) {
  useStore(tick);
  return (
    <time dateTime={at} title={exactly(at)}>
      {how(at)}
    </time>
  );
}

export const Day = ({ at }: { at: string }) => <Time at={at} how={onDay} />;

/** The last use of a key or a secret. */
export const LastUse = ({ at }: { at: string | null }) =>
  at === null ? <span class="quiet">{texts.never}</span> : <Time at={at} />;
