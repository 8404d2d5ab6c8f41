import { beforeEach, describe, expect, test } from 'vitest';
import type { Contact } from '../../../lib/resources/contacts/fields.ts';
import { Random } from '../../simulation/random.ts';
import { contentOf } from './content.ts';
import { Records } from './records.ts';

const random = new Random(1);
const at = { created_at: '2026-03-01T09:30:00.000Z', updated_at: '2026-03-01T09:30:00.000Z' };

/** A contact as an answer shows it. */
const shown = (id: string, serial: number, revision: number, version = revision): Contact => ({
  id,
  ...contentOf(serial, revision),
  version,
  ...at,
});

let records: Records;
let serial: number;
beforeEach(() => {
  records = new Records();
  serial = records.newSerial('named');
});

describe('a contact that was created', () => {
  test('is right with the content that was sent', () => {
    expect(records.created('con_1', serial)).toBeUndefined();
    expect(records.wrongWith(shown('con_1', serial, 1), records.now())).toBeUndefined();
  });

  test('may be acknowledged twice, and not with two ids', () => {
    records.created('con_1', serial);
    expect(records.created('con_1', serial)).toBeUndefined();
    expect(records.acknowledged).toBe(1);
    expect(records.created('con_2', serial)).toMatch('is the same contact');
  });

  test('does not have the id of another one', () => {
    records.created('con_1', serial);
    expect(records.created('con_1', records.newSerial('named'))).toMatch('is the id of contact');
  });

  test('is wrong with a content that nobody sent', () => {
    records.created('con_1', serial);
    expect(records.wrongWith({ ...shown('con_1', serial, 1), note: 'another' }, 0)).toMatch('nobody sent');
    expect(records.wrongWith(shown('con_1', serial, 2), 0)).toMatch('which nobody sent');
    expect(records.wrongWith(shown('con_2', serial + 2, 1), 0)).toMatch('created by nobody');
  });
});

describe('a contact that is changed', () => {
  beforeEach(() => {
    records.created('con_1', serial);
  });

  test('has one writer at a time', () => {
    expect(records.take(random)).toMatchObject({ id: 'con_1', serial, revision: 1, version: 1 });
    expect(records.take(random)).toBeUndefined();
    records.acknowledge(0, 2, 2);
    expect(records.take(random)).toMatchObject({ revision: 2, version: 2 });
  });

  test('may be shown as before and as it was sent, until the change is acknowledged', () => {
    records.take(random);
    const before = records.now();
    for (const revision of [1, 2])
      expect(records.wrongWith(shown('con_1', serial, revision), before)).toBeUndefined();
    records.acknowledge(0, 2, 2);
    expect(records.wrongWith(shown('con_1', serial, 1), before)).toBeUndefined();
    expect(records.wrongWith(shown('con_1', serial, 1), records.now())).toMatch('but 2 was acknowledged');
  });

  test('is not changed by anybody else', () => {
    expect(records.wrongWith(shown('con_1', serial, 1, 2), records.now())).toMatch('was changed by nobody');
  });
});

describe('a list', () => {
  test('has the same contact at a position for ever', () => {
    expect(records.wrongAt(0, 'con_1')).toBeUndefined();
    expect(records.wrongAt(0, 'con_1')).toBeUndefined();
    expect(records.wrongAt(0, 'con_2')).toBe('position 0 has con_2, and had con_1');
  });

  test('has a total from what was acknowledged to what was sent, and it never falls', () => {
    records.newSerial('nameless');
    records.created('con_1', serial);
    expect(records.wrongTotal(0, records.totalMin())).toMatch('must be from 1 to 2');
    expect(records.wrongTotal(3, records.totalMin())).toMatch('must be from 1 to 2');
    expect(records.wrongTotal(2, records.totalMin())).toMatch('must be from 3 to 2');
  });
});
