import { exactly, fromNow, onDay } from '../times.ts';

/** A time as its distance from now. The exact one is in its title. */
export const Time = ({ at, how = fromNow }: { at: string; how?: (iso: string) => string }) => (
  <time dateTime={at} title={exactly(at)}>
    {how(at)}
  </time>
);

export const Day = ({ at }: { at: string }) => <Time at={at} how={onDay} />;

/** The last use of a key or a secret. */
export const LastUse = ({ at }: { at: string | null }) =>
  at === null ? <span class="quiet">Never</span> : <Time at={at} />;
