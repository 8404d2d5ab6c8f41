import { useId } from 'preact/hooks';
import * as texts from './formTexts.ts';

const overlaps: readonly [seconds: number, words: string][] = [
  [0, texts.overlaps.now],
  [3600, texts.overlaps.hour],
  [24 * 3600, texts.overlaps.day],
  [7 * 24 * 3600, texts.overlaps.week],
];

/** How long the secrets before the new one still work. */
export function OverlapField({ seconds, change }: { seconds: number; change: (seconds: number) => void }) {
  const name = useId();
  return (
    <fieldset>
      <legend>{texts.overlap}</legend>
      <div class="row">
        {overlaps.map(([value, words]) => (
          <label key={value} class="pill">
            <input type="radio" name={name} checked={value === seconds} onChange={() => change(value)} />
            {words}
          </label>
        ))}
      </div>
      {seconds === 0 && <p class="note">{texts.overlapNow}</p>}
    </fieldset>
  );
}
