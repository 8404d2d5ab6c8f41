// How times are read that people and programs write.
import { narrow } from '../texts/characters.ts';

export const timeRule =
  'must be a time of RFC 3339 with an offset, as in 2026-03-01T09:30:00Z, or a date, which is that day at 00:00 UTC; in the years 0000 to 9999 of UTC';

/** A longer text is no time, and is not looked at. */
export const writtenMax = 128;

const readForm =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d|[01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d*))?)?(?= ?[A-Z+-]))?(?: ?([Zz]|UTC|GMT|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)(?:\[[^[\]!][^[\]]{0,63}\])?)?$/i;

const months = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** A date in the parts of a text. */
export const dateOf = (year: string, month: string, day: string): string =>
  [year, month, day].map((part) => part.padStart(2, '0')).join('-');

const datedBy = (year: string, month: string, day: string): string =>
  dateOf(year, `${months.indexOf(month.toLowerCase()) / 3 + 1}`, day);

export const named = (year: string, month: string, day: string, clock: string, offset = 'Z'): string =>
  `${datedBy(year, month, day)}T${clock}${offset}`;

/** The name of a day of the week in front of a date, which must be that of the date. A month may be there, too. */
const weekday = /^([a-z]{3})[a-z]{0,6},? /;

const weekdays = 'sunmontuewedthufrisat';

const contradicts = (text: string, day: Date): boolean => {
  const [, name] = weekday.exec(plain(text).toLowerCase()) ?? [];
  return (
    name !== undefined && months.indexOf(name) % 3 !== 0 && weekdays.indexOf(name) !== 3 * day.getUTCDay()
  );
};

/** A text without what copies of it have: quotes, full width, other spaces. */
const plain = (text: string): string =>
  narrow(text)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\s/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-');

/** The ways in which programs write a time, each with its reading. A text of another form stays as it is. */
const forms: readonly [RegExp, (...parts: string[]) => string][] = [
  // Without separators, as ISO 8601 has it too.
  [
    /^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(\d{2})?(?!\d)/,
    (_, year, month, day, hour, minute, second = '00') =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}`,
  ],
  [
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2})(\d{2})(\d{2})?(?=[.,Z+-])/i,
    (_, day, hour, minute, second = '00') => `${day}T${hour}:${minute}:${second}`,
  ],
  // The year first: no country then has the day before the month.
  [
    /^(\d{4})(?:-(\d{1,2})-|\/(\d{1,2})\/|\.(\d{1,2})\.)(\d{1,2})(?!\d)/,
    (_, year, a, b, c, day) => dateOf(year as string, (a ?? b ?? c) as string, day as string),
  ],
  // An e-mail, HTTP, a cookie.
  [
    /^(?:[A-Z][a-z]{2,8},? )?(\d{1,2})[ -]([A-Z][a-z]{2})[ -](\d{4}) (\d{2}:\d{2}(?::\d{2})?) (?:GMT|UTC|([+-]\d{4}))(?: ?\([^()]{1,64}\))?$/,
    (_, day, month, year, clock, offset) =>
      named(year as string, month as string, day as string, clock as string, offset),
  ],
  // HTTP, in its older form.
  [
    /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/,
    (_, day, month, year, clock) => named(`20${year}`, month as string, day as string, clock as string),
  ],
  // A Date of JavaScript, and git.
  [
    /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d{2}:\d{2}:\d{2}) (?:GMT|UTC)?([+-]\d{4})?(?: ?\([^()]{1,64}\))?$/,
    (_, month, day, year, clock, offset) =>
      named(year as string, month as string, day as string, clock as string, offset),
  ],
  [
    /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4}) ([+-]\d{4})$/,
    (_, month, day, clock, year, offset) =>
      named(year as string, month as string, day as string, clock as string, offset),
  ],
  // Java, and the command date.
  [
    /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (?:UTC|GMT|([+-]\d{4})) (\d{4})$/,
    (_, month, day, clock, offset, year) =>
      named(year as string, month as string, day as string, clock as string, offset),
  ],
  // Go: the name of the zone is beside its offset.
  [/ ([+-]\d{4}) (?:[A-Z]{3,5}|[+-]\d{2,4})(?: m=[+-]\d{1,20}\.\d{1,9})?$/, (_, offset) => `${offset}`],
  [/(?:UTC|GMT)([+-])(\d)(?!\d)/, (_, sign, hour) => `${sign}0${hour}`],
  [/(?:UTC|GMT)(?=[+-]\d)/, () => ''],
  // People write the name of a month, whole or in three letters, and both halves of a day.
  [
    /(?<![a-z])(?:January|February|March|April|June|July|August|Sept|September|October|November|December)(?![a-z])/i,
    (name) => `${name}`.slice(0, 3),
  ],
  [
    /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})\.?,?[ -](\d{4})(?= |$|, ?(?:at )?\d)/i,
    (_, day, month, year) => datedBy(year as string, month as string, day as string),
  ],
  [
    /^(?:[a-z]{3,9},? )?([a-z]{3})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?= |$|, ?(?:at )?\d)/i,
    (_, month, day, year) => datedBy(year as string, month as string, day as string),
  ],
  [/^(\d{4}-\d{2}-\d{2})(?:,? at |, ?)(?=\d)/, (_, day) => `${day} `],
  [
    /^(\d{4}-\d{2}-\d{2})[T ](0?[1-9]|1[0-2])(:\d{2})?(:\d{2}(?:[.,]\d+)?)? ?([AP])\.?M\.?(?![A-Z])/i,
    (_, day, hour, minute = ':00', second = '', half) =>
      `${day} ${(Number(hour) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0)}${minute}${second}`,
  ],
  // .NET: milliseconds since 1970.
  [
    /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/,
    (whole, milliseconds) => sinceEpoch(Number(milliseconds)) ?? `${whole}`,
  ],
];

export function sinceEpoch(milliseconds: number): string | undefined {
  const at = new Date(milliseconds);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A text in the usual form of a time, if it is one. */
export function inUsualForm(text: string): string {
  if (text.length > writtenMax) return '';
  return forms.reduce(
    (written, [form, read]) => written.replace(form, read as (...parts: string[]) => string),
    plain(text),
  );
}

/** The offset of a time as +hh:mm. */
const inFull = (offset: string): string =>
  offset
    .replace(/UTC|GMT/, 'Z')
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hour, minute = '00') => `${hour}:${minute}`);

/**
 * The time of a text in UTC: of RFC 3339, and of forms that can mean only one time. A date is that day at 00:00 UTC. `t`, `z` and a space
 * in place of T are read, and an offset without colon or minutes, and a time without seconds. Digits behind the milliseconds are cut, so no
 * time gets into the next year. The leap second 23:59:60 is the last millisecond of its day. 24:00:00 is 00:00:00 of the next day (ISO 8601).
 * `UTC` and `GMT` are Z. A time zone in brackets behind the offset (RFC 9557) says no other time, unless it has a !.
 * @returns undefined for any other text
 */
export function inUtc(text: string): string | undefined {
  if (text.length > writtenMax) return undefined;
  // Programs write nearly all times in the usual form.
  const read = readForm.exec(text) ?? readForm.exec(inUsualForm(text)) ?? [];
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = read;
  const isLeap = second === '60';
  const rest = isLeap ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const midnight = new Date(`${day}T00:00Z`);
  const at = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:${rest}${inFull(offset)}`);
  if (Number.isNaN(at.getTime())) return undefined;
  const utc = at.toISOString();
  // Date reads the 30th of February as a day in March.
  const isDay = midnight.toISOString().startsWith(day) && !contradicts(text, midnight);
  return isDay && /^\d{4}-/.test(utc) && (!isLeap || utc.endsWith('T23:59:59.999Z')) ? utc : undefined;
}

export const noDayRule = `${timeRule} (its day is not in the calendar, or is another day of the week)`;

/** Whether a text has a date that there is not. */
export function isOfNoDay(text: string): boolean {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(inUsualForm(text)) ?? [];
  const at = new Date(`${day}T00:00Z`);
  if (day === undefined) return false;
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day) || contradicts(text, at);
}
