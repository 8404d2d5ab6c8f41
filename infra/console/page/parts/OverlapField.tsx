import { useId } from 'preact/hooks';

const overlaps: readonly [seconds: number, words: string][] = [
  [0, 'Now'],
  [3600, 'In 1 hour'],
  [24 * 3600, 'In 24 hours'],
  [7 * 24 * 3600, 'In 7 days'],
];

/** How long the secrets before the new one still work. */
export function OverlapField({ seconds, change }: { seconds: number; change: (seconds: number) => void }) {
  const name = useId();
  return (
    <fieldset>
      <legend>When the secrets before it end</legend>
      <div class="row">
        {overlaps.map(([value, words]) => (
          <label key={value} class="pill">
            <input type="radio" name={name} checked={value === seconds} onChange={() => change(value)} />
            {words}
          </label>
        ))}
      </div>
      {seconds === 0 && <p class="note">Programs that still use them are refused from now on.</p>}
    </fieldset>
  );
}
