import { describe, expect, test } from 'vitest';
import { timezone } from '../../../lib/values/fields.ts';
import { timezonesVersion } from '../../../lib/values/standards/timezones.ts';
import { document } from '../../support/documents/openapi.ts';

const isTaken = (name: string): boolean => timezone().safeParse(name).success;

test('the document says which release it is, wherever it names the database', () => {
  const named = JSON.stringify(document).match(/IANA database( \(release \w+\))?/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([`IANA database (release ${timezonesVersion})`]));
});

describe('a time zone', () => {
  test.each(Intl.supportedValuesOf('timeZone'))('%s is one to Node, and taken', (name) => {
    expect(isTaken(name)).toBe(true);
  });

  test.each([
    ...['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'Africa/Porto-Novo'],
    ...['Asia/Calcutta', 'US/Eastern', 'GB', 'W-SU', 'PST8PDT', 'EST', 'GMT0'],
  ])('%s is one by a zone or a link of the database', (name) => {
    expect(isTaken(name)).toBe(true);
  });

  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['us/eastern', 'US/Eastern'],
    ['utc', 'UTC'],
  ])('%s is stored as the database writes it', (sent, stored) => {
    expect(timezone().parse(sent)).toBe(stored);
  });

  // ICU's own: its names of three letters, those of System V, and what it has for a zone that nobody knows.
  test.each([
    ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
      ' ',
    ),
    ...['SystemV/PST8PDT', 'SystemV/EST5', 'Etc/Unknown', 'Factory'],
    ...['+01:00', 'UTC+1', 'GMT+1', 'Europe', 'Europe/', '-', '- CET'],
    ...['Mars/Phobos', 'constructor', '__proto__', '', 'Etc/GMT\u212a'],
  ])('%j is none', (name) => {
    expect(isTaken(name)).toBe(false);
  });
});
