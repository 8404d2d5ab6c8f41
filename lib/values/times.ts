// How times are read that people and programs write.

export const timeRule =
  'must be a time of RFC 3339 with an offset, as in 2026-03-01T09:30:00Z, or a date, which is that day at 00:00 UTC; in the years 0000 to 9999 of UTC';

const readForm =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)? ?([Zz]|UTC|GMT|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)(?:\[[^[\]]{1,64}\])?)?$/;

/** A time with the name of its month, of an e-mail, of HTTP or of a Date of JavaScript. */
const namedForm =
  /^(?:[A-Z][a-z]{2},? )?(?:(\d{1,2}) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d{1,2})) (\d{4}) (\d{2}:\d{2}:\d{2}) (?:GMT|UTC)?([+-]\d{4})?(?: ?\([^()]{1,64}\))?$/;

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Another text stays as it is. */
const inNumbers = (text: string): string =>
  text.replace(namedForm, (_, day, month, otherMonth, otherDay, year, clock, offset = 'Z') => {
    const nth = months.indexOf(month ?? otherMonth) / 3 + 1;
    const date = [year, nth, day ?? otherDay].map((part) => `${part}`.padStart(2, '0'));
    return `${date.join('-')}T${clock}${offset}`;
  });

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
 * `UTC` and `GMT` are Z. A time zone in brackets behind the offset (RFC 9557) says no other time.
 * @returns undefined for any other text
 */
export function inUtc(text: string): string | undefined {
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] =
    readForm.exec(inNumbers(text.trim().replaceAll('\u2212', '-'))) ?? [];
  const isLeap = second === '60';
  const rest = isLeap ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const midnight = new Date(`${day}T00:00Z`);
  const at = new Date(`${day}T${hour}:${minute}:${rest}${inFull(offset)}`);
  if (Number.isNaN(at.getTime())) return undefined;
  const utc = at.toISOString();
  // Date reads the 30th of February as a day in March.
  const isDay = midnight.toISOString().startsWith(day);
  return isDay && /^\d{4}-/.test(utc) && (!isLeap || utc.endsWith('T23:59:59.999Z')) ? utc : undefined;
}

const withoutSign = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}(:\d{2}(?:[.,]\d+)?)?(?: (\d{2}):?(\d{2}))?$/;
const sinceEpoch = /^\d{10}(?:\d{3})?$/;

/** The right form of a text that may mean several times, as a question; nothing for a text that is not a time. */
export function timeHint(text: string): string | undefined {
  const sent = text.trim();
  const [, day, seconds, hour, minute] = withoutSign.exec(sent) ?? [];
  if (day === undefined)
    return sinceEpoch.test(sent)
      ? question(new Date(Number(sent.padEnd(13, '0'))).toISOString().replace('.000Z', 'Z'))
      : undefined;
  const local = `${day}T${sent.slice(11).split(' ')[0]}${seconds === undefined ? ':00' : ''}`;
  if (hour === undefined) return question(`${local}Z`);
  // A query in which + was not encoded: it is read as a space.
  const right = `${local}+${hour}:${minute}`;
  return question(right, right.replace('+', '%2B'), ' In a URL, + is written %2B.');
}

const question = (time: string, written = time, more = ''): string | undefined =>
  inUtc(time) === undefined ? undefined : `did you mean ${written}?${more}`;
