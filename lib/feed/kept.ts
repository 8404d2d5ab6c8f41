// What is listed by number and kept for some days: changes, and the deliveries of webhooks.

const dayMs = 24 * 3_600_000;

/** How long a change can be read. */
export const changeDays = 30;

/** An entry that is used on its last day is needed a little longer: a delivery for a whole retry schedule. */
const spareDays = 6;

/** The number of the first entry of each day, by the day. A day without entries is left out. */
export type FirstOfDays = Readonly<Record<string, number>>;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When the database may remove an item that was created at a time, in epoch seconds: nobody can read it then. */
export const expiryOf = (at: Date, keptDays: number): number =>
  Math.ceil((at.getTime() + (keptDays + spareDays) * dayMs) / 1000);

/**
 * The number of the first entry that can be read: the first of the days that are kept. The items themselves do not tell,
 * because DynamoDB may remove expired items days later.
 * @param count how many entries there have been, which is the number of the next one
 */
export function firstKeptOf(days: FirstOfDays, count: number, keptDays: number, now = Date.now()): number {
  const oldest = dayOf(now - keptDays * dayMs);
  const firsts = Object.entries(days).flatMap(([day, first]) => (day >= oldest ? [first] : []));
  return Math.min(count, ...firsts);
}

/** The days when an entry is added now: with today, and without the days that nobody can read any more. */
export function daysWith(days: FirstOfDays, count: number, keptDays: number, now: number): FirstOfDays {
  const [today, oldest] = [dayOf(now), dayOf(now - (keptDays + 1) * dayMs)];
  if (today in days) return days;
  const kept = Object.entries(days).filter(([day]) => day >= oldest);
  return { ...Object.fromEntries(kept), [today]: count };
}
