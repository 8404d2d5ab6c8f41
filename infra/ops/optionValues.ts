import { InvalidArgumentError } from 'commander';
import { keyName, keyNameRule } from '../../lib/contract/console/consoleKeys.ts';
import { isAccount } from '../../lib/schemas/account.ts';
import { hostOf, receiverUrl } from '../../lib/schemas/receiverUrl.ts';
import { time } from '../../lib/schemas/times.ts';

export function parseAccount(value: string): string {
  if (!isAccount(value))
    throw new InvalidArgumentError(
      'An account is 1 to 64 characters of A-Z a-z 0-9 _ -, and begins with a letter or digit.',
    );
  return value;
}

/** Parses a host as subscriptions store it: in lower case, and in ASCII. It may be anything that the URL of a receiver may contain. */
export function parseHost(value: string): string {
  const { data } = receiverUrl().safeParse(`https://${value}`);
  const url = data === undefined ? null : URL.parse(data);
  if (!url || url.href !== `https://${url.hostname}/` || value !== value.trim())
    throw new InvalidArgumentError(
      'A host is one whole name with a dot, or an IPv4 address, as in hooks.example.com or 192.0.2.1.',
    );
  return hostOf(url);
}

export function parseName(value: string): string {
  const { data } = keyName().safeParse(value);
  if (data === undefined) throw new InvalidArgumentError(`A name ${keyNameRule}.`);
  return data;
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `7d`, `12h`, `30m`, `10s` or `0` to milliseconds. */
export function parseDuration(value: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (value === '0') return 0;
  if (count === undefined || unit === undefined)
    throw new InvalidArgumentError(
      'A duration is a number of up to six digits and s, m, h or d, as in 7d, or 0.',
    );
  return Number(count) * (units[unit] as number);
}

/** Parses a moment in the future, as RFC 3339 or as a duration from now, or `never`. */
export function parseExpiry(value: string): Date | 'never' {
  if (value === 'never') return 'never';
  const isDuration = /^\d+[smhd]$/.test(value);
  const moment = isDuration
    ? new Date(Date.now() + parseDuration(value))
    : parseTime(
        value,
        'Give a time of RFC 3339 such as 2027-01-31T00:00:00Z, a duration such as 90d, or never.',
      );
  if (moment.getTime() <= Date.now()) throw new InvalidArgumentError('That is in the past.');
  return moment;
}

export const parseMoment = (value: string): Date =>
  parseTime(value, 'Give a time of RFC 3339 such as 2027-01-31T00:00:00Z.');

/** Reads a time as strictly as the API does. `Date` would read the 30th of February as a day in March. */
function parseTime(value: string, rule: string): Date {
  const { data } = time().safeParse(value);
  if (data === undefined) throw new InvalidArgumentError(rule);
  return new Date(data);
}

export function parseAddress(value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new InvalidArgumentError('The address of an API is one like https://api.example.com/v1.');
  return value;
}
