const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

export const dayMs = 86_400_000;

const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far a time is from now: "in 2 months", "3 hours ago". */
export function fromNow(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  const unit = units.find(([, size]) => Math.abs(ms) >= size);
  return unit ? relative.format(Math.trunc(ms / unit[1]), unit[0]) : ms < 0 ? 'just now' : 'in a moment';
}

export const onDay = (iso: string): string => day.format(new Date(iso));
export const atMinute = (iso: string): string => minute.format(new Date(iso));
/** With seconds and the time zone. */
export const exactly = (iso: string): string => full.format(new Date(iso));
