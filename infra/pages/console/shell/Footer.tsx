import { timeZone } from '../locale.ts';
import { exact } from '../parts/Time.tsx';
import { useStore } from '../store.ts';
import * as texts from './texts.ts';

/** Of which time zone the times are, and how they are shown. */
export function Footer() {
  const isExact = useStore(exact);
  return (
    <footer class="foot">
      {texts.timesIn(timeZone())}{' '}
      <button type="button" class="link" aria-pressed={isExact} onClick={() => exact.set(!isExact)}>
        {texts.exactTimes}
      </button>
    </footer>
  );
}
