// What people and programs probably mean who write a time that may be several.
import { dateOf, inUsualForm, inUtc, named, sinceEpoch } from './times.ts';

const withoutSign =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?: (\d{2}):?(\d{2}))?$/;
const withZone = /^(.*\d) ([A-Z]{3,5})$/;
const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/;
const sinceThen = /^(\d{10})(?:\.(\d{1,9})|(\d{3}|\d{6}|\d{9}))?$/;
const inOneNumber = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?$/;

/** C and the command date write it without an offset, or with the name of a zone. */
const ofDate = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (?:([A-Z]{3,5}) )?(\d{4})$/;

/** The right form of a text that may mean several times, as a question; nothing for a text that is not a time. */
export function timeHint(text: string): string | undefined {
  const sent = inUsualForm(text).replace(
    ofDate,
    (_, month: string, day: string, clock: string, zone: string | undefined, year: string) =>
      named(year, month, day, clock, zone ? ` ${zone}` : ''),
  );
  const [, time = '', zone] = withZone.exec(sent) ?? [];
  if (zone !== undefined && meant(time).length > 0) return `write an offset, as +01:00, in place of ${zone}`;
  const [, , , , , offsetHour, offsetMinute] = withoutSign.exec(sent) ?? [];
  if (offsetHour === undefined) return question(meant(sent));
  // A query in which + was not encoded: it is read as a space.
  const right = `${sent.slice(0, sent.lastIndexOf(' '))}+${offsetHour}:${offsetMinute}`.replace(' ', 'T');
  return inUtc(right) && `${question([right.replace('+', '%2B')])} In a URL, + is written %2B.`;
}

/** The times that a text may mean. */
function meant(sent: string): string[] {
  const [, first = '', sign, second = '', year, rest = ''] = yearLast.exec(sent) ?? [];
  if (year !== undefined) {
    const days =
      sign === '.'
        ? [[second, first]]
        : [
            [first, second],
            [second, first],
          ];
    return days.flatMap(([month = '', day = '']) => meant(inUsualForm(dateOf(year, month, day) + rest)));
  }
  const time = ofClock(sent) ?? ofNumber(sent) ?? sent;
  return inUtc(time) === undefined ? [] : [time];
}

function ofClock(sent: string): string | undefined {
  const [, day, hour, minute, second = '00'] = withoutSign.exec(sent) ?? [];
  return day && `${day}T${hour?.padStart(2, '0')}:${minute}:${second}Z`;
}

function ofNumber(sent: string): string | undefined {
  const [, seconds, point = '', digits = point] = sinceThen.exec(sent) ?? [];
  if (seconds !== undefined)
    return sinceEpoch(Number(seconds + digits.slice(0, 3).padEnd(3, '0')))?.replace('.000Z', 'Z');
  const [, year, month, day, ...clock] = inOneNumber.exec(sent) ?? [];
  return year && `${year}-${month}-${day}${clock[0] === undefined ? '' : `T${clock.join(':')}Z`}`;
}

const question = (times: readonly string[]): string | undefined =>
  times.length === 0 ? undefined : `did you mean ${[...new Set(times)].join(' or ')}?`;
