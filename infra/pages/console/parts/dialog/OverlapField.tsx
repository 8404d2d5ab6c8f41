import { Choice } from '../Choice.tsx';
import * as texts from '../texts.ts';

/** How long the secrets before the new one still work. */
export const OverlapField = ({ seconds, change }: { seconds: number; change: (seconds: number) => void }) => (
  <>
    <Choice
      label={texts.overlap}
      options={texts.overlaps}
      chosen={String(seconds) as (typeof texts.overlaps)[number][0]}
      choose={(chosen) => change(Number(chosen))}
    />
    {seconds === 0 && <p class="note">{texts.overlapNow}</p>}
  </>
);
