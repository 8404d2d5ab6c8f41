import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../lib/errors/apiError.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { patchOf, sentOf } from '../../../lib/resources/fieldSchemas.ts';
import { patched } from '../../../lib/resources/patch.ts';

// What clients may write of a resource: with fields of every kind, of which two are the app's.

const shaped = {
  prefix: 'tkt',
  fields: {
    external_id: { is: 'externalId' },
    subject: { is: 'line', required: true },
    text: { is: 'lines' },
    email: { is: 'email' },
    phone: { is: 'phone' },
    locale: { is: 'locale' },
    timezone: { is: 'timezone' },
    currency: { is: 'currency' },
    page: { is: 'url' },
    due_at: { is: 'time' },
    number: { is: 'id' },
    contact_id: { is: 'ref', to: 'con' },
    address: { is: 'address' },
    fee_amount: { is: 'amount' },
    balance: { is: 'signed' },
    hours: { is: 'quantity' },
    is_urgent: { is: 'flag' },
    custom_fields: { is: 'custom' },
    tags: { is: 'tags' },
    reply: { is: 'answer' },
    priority: { is: 'enum', of: ['low', 'high'], default: 'low' },
    requester: { is: 'group', of: { name: { is: 'line', required: true }, team: { is: 'line' } } },
    links: { is: 'list', max: 3, of: { url: { is: 'url', required: true }, title: { is: 'line' } } },
    status: { is: 'enum', of: ['open', 'closed'], default: 'open' },
    invoice: { is: 'group', of: { amount: { is: 'amount' } } },
  },
} as const;
const own = ['status', 'invoice'];
const writable = Object.keys(shaped.fields).filter((name) => !own.includes(name)) as 'subject'[];
const tickets = { ...shaped, writable, identifiedBy: ['external_id', 'subject'] };

const whole = {
  external_id: 'a-1',
  subject: 'Broken',
  text: 'It is\nbroken',
  email: 'ada@example.com',
  phone: '+49 30 1234',
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  page: 'https://example.com/a',
  due_at: '2026-03-01T09:30:00.000Z',
  number: '17',
  contact_id: 'con_9x7aej2svz025b0x7prpcchs',
  address: { line1: null, line2: null, city: 'Berlin', region: null, postal_code: null, country: 'DE' },
  fee_amount: 900,
  balance: -3,
  hours: 1.5,
  is_urgent: true,
  custom_fields: { plan: { name: 'gold', seats: 3 } },
  tags: ['a', 'b'],
  reply: ['yes', 'no'],
  priority: 'high',
  requester: { name: 'Ada', team: null },
  links: [{ url: 'https://example.com/b', title: null }],
};
const ticket = {
  ...whole,
  id: 'tkt_5d8w2k7m4q1v9x3z6b0nhjrt',
  status: 'closed',
  invoice: { amount: 5 },
  version: 3,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
} as unknown as Stored;

const schemas = {
  'a new record': sentOf(tickets, 'new'),
  'a whole record': sentOf(tickets, 'named'),
  'an entry of a batch': sentOf(tickets, 'entry'),
  'a patch': patchOf(tickets),
};

/** The record after a patch, which its schema has read. */
const patchedBy = (patch: object, before = ticket) =>
  patched(tickets, before, patchOf(tickets).parse(patch)) as unknown as Record<string, unknown>;
const refused = (patch: object, before = ticket): string => {
  try {
    return `not refused: ${JSON.stringify(patchedBy(patch, before))}`;
  } catch (error) {
    return (error as ApiError).message;
  }
};

describe.each(Object.entries(schemas))('%s', (_, schema) => {
  test('takes every kind of field as a record is read', () => {
    expect(schema.parse(whole)).toEqual(whole);
  });

  test.each(own)('with %s, which is of the app, is refused, whatever its value', (name) => {
    for (const value of [(ticket as unknown as Record<string, unknown>)[name], null, 'x'])
      expect(JSON.stringify(schema.safeParse({ ...whole, [name]: value }).error?.issues)).toContain(
        'is not known here',
      );
  });
});

test('what is left out has its default value, and a field of the app has none, so that a record keeps its own', () => {
  const { external_id, subject } = whole;
  const sent: object = sentOf(tickets, 'named').parse({ subject });
  expect(Object.keys(sent).sort()).toEqual([...writable].sort());
  expect(sent).toMatchObject({
    subject,
    text: null,
    fee_amount: 0,
    is_urgent: false,
    tags: [],
    requester: null,
  });
  expect(sentOf(tickets, 'entry').safeParse({ subject }).success).toBe(false);
  expect(sentOf(tickets, 'entry').safeParse({ external_id, subject }).success).toBe(true);
  expect(sentOf({ ...tickets, identifiedBy: ['email'] }, 'new').safeParse({ subject }).success).toBe(false);
});

describe('a patch', () => {
  test('replaces plain values, lists and tags, merges objects at every depth, and keeps what it does not name', () => {
    expect(
      patchedBy({
        text: null,
        fee_amount: null,
        priority: null,
        tags: ['c'],
        links: [],
        address: { city: 'Bern' },
        requester: { team: 'A' },
        custom_fields: { plan: { seats: null, owner: 'Eve' } },
      }),
    ).toEqual({
      ...ticket,
      text: null,
      fee_amount: 0,
      priority: 'low',
      tags: ['c'],
      links: [],
      address: { ...whole.address, city: 'Bern' },
      requester: { name: 'Ada', team: 'A' },
      custom_fields: { plan: { name: 'gold', owner: 'Eve' } },
    });
    expect(patchedBy({ requester: null, address: null, custom_fields: null })).toMatchObject({
      ...{ requester: null, address: null, custom_fields: {} },
    });
  });

  test('of an object that was null needs its required parts', () => {
    const without = { ...ticket, requester: null } as unknown as Stored;
    expect(refused({ requester: { team: 'A' } }, without)).toMatch(/^requester\.name is required/);
    expect(patchedBy({ requester: { name: 'Eve' } }, without)).toMatchObject({
      requester: { name: 'Eve', team: null },
    });
  });

  test('cannot clear what is required, take away what says which record it is, or change a field of the server', () => {
    expect(patchOf(tickets).safeParse({ subject: null }).success).toBe(false);
    const byEmail = { ...tickets, identifiedBy: ['email', 'phone'] };
    expect(() => patched(byEmail, ticket, { email: null, phone: null })).toThrow(
      'at least one of email, phone must be given',
    );
    expect(refused({ version: 4 })).toMatch(/^version must be left out or unchanged/);
    expect(patchedBy({ id: ticket.id, version: 3, subject: 'Whole' })).toMatchObject({
      subject: 'Whole',
      version: 3,
    });
  });
});
