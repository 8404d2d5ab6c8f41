import { describe, expect, test } from 'vitest';
import { contactNotes } from '../../../lib/resources/contacts/reference.ts';
import { eventNotes } from '../../../lib/resources/eventRegistrations/reference.ts';
import { timezone } from '../../../lib/values/fields.ts';
import { timezonesVersion } from '../../../lib/values/standards/timezones.ts';

const isTaken = (name: string): boolean => timezone().safeParse(name).success;

test('the documents of both fields say which release it is', () => {
  for (const [description] of [contactNotes.timezone, eventNotes.timezone])
    expect(description).toContain(`IANA database (release ${timezonesVersion})`);
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
