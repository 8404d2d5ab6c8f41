import { expect, test } from 'vitest';
import { addedFields, declaredResource, problemsIn } from '../../../infra/ops/package/checkDeclaration.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import type { DeclaredFields } from '../../../lib/resources/declare.ts';

const fields: DeclaredFields = {
  subject: { is: 'line', required: true, note: ['The subject.', 'A printer'] },
  status: {
    is: 'enum',
    of: ['open', 'closed'],
    default: 'open',
    filter: 'any',
    note: ['The status.', 'open'],
  },
  price_amount: { is: 'amount', note: ['The price.', 4200] },
  opened_at: { is: 'time', filter: 'range', note: ['When it was opened.', '2026-03-01T09:30:00.000Z'] },
  contact_id: { is: 'ref', to: 'con', filter: 'exact', note: ['Who asks.', 'con_9x7aej2svz025b0x7prpcchs'] },
  room: { is: 'group', of: { floor: { is: 'line', note: ['The floor.', '3'] } }, note: ['Where.'] },
  parts: { is: 'list', max: 3, of: { name: { is: 'line', note: ['The name.', 'A'] } }, note: ['The parts.'] },
};
const closed = { field: 'status', becomes: ['closed'], what: 'It became closed', before: {}, after: {} };
const tickets = { one: 'ticket', prefix: 'tkt', fields, writable: ['subject'], events: { closed } };
const world = { prefixes: ['con', 'tkt'] };

/** The declaration with other fields. */
const having = (more: object) => ({ ...tickets, fields: { ...fields, ...more } });

test('a right declaration has no problems', () => {
  expect(problemsIn(tickets, declaredResource, world)).toEqual([]);
});

test.each([
  [undefined, 'it has no default export'],
  [{ ...tickets, prefix: 'tickets' }, 'prefix must be 2 to 5 letters of a-z'],
  [{ ...tickets, feilds: {} }, 'feilds is not known here'],
  [having({ status: { is: 'words' } }), 'fields.status.is must be one of line, lines,'],
  [having({ priceAmount: fields.price_amount }), 'fields.priceAmount must be named by words of a-z and 0-9'],
  [having({ version: fields.subject }), 'fields.version is there already'],
  [having({ subject: { is: 'line' } }), 'fields.subject.note must be a list: a sentence for the reference'],
  [
    having({ room: { is: 'group', of: { floor: { is: 'line', note: 'x' } }, note: ['x'] } }),
    'fields.room.of.floor.note must be a list',
  ],
  [having({ room: { is: 'group', of: {}, note: ['x'] } }), 'fields.room.of must be an object with fields'],
  [
    having({ price_amount: { is: 'amount', note: ['x', '42'] } }),
    'fields.price_amount.note must have an example as its second part: a number',
  ],
  [
    having({ price_amount: { ...fields.price_amount, filter: 'range' } }),
    'fields.price_amount.filter must be left out: the kind amount has no filter',
  ],
  [
    having({ opened_at: { ...fields.opened_at, filter: 'any' } }),
    'fields.opened_at.filter must be range, the filter of the kind time',
  ],
  [
    having({ status: { is: 'enum', note: ['x', 'open'] } }),
    'fields.status.of must be a list of different values of a-z and _',
  ],
  [
    having({ status: { is: 'enum', of: ['tier_2'], note: ['x', 'tier_2'] } }),
    'fields.status.of must be a list of different values of a-z and _',
  ],
  [
    having({ status: { ...fields.status, default: 'live' } }),
    'fields.status.default must be one of open, closed',
  ],
  [
    having({ contact_id: { ...fields.contact_id, to: 'cus' } }),
    'fields.contact_id.to must be the prefix of a resource: con, tkt',
  ],
  [
    having({ parts: { ...fields.parts, max: undefined } }),
    'fields.parts.max must be the most entries that it can have',
  ],
  [
    having({ limit: { is: 'line', filter: 'exact', note: ['x', 'y'] } }),
    'fields.limit has a filter whose parameter limit is taken',
  ],
  [
    having({ opened_since: { is: 'line', filter: 'exact', note: ['x', 'y'] } }),
    'fields.opened_since has a filter whose parameter opened_since is taken',
  ],
  [{ ...tickets, writable: ['subject', 'nope'] }, 'writable has nope, which is no field'],
  [{ ...tickets, writable: ['room'] }, 'fields.subject is required, so clients must be able to write it'],
  [{ ...tickets, writable: undefined, deletable: true }, 'deletable needs writable'],
  [
    { ...tickets, events: { closed: { ...closed, field: 'state' } } },
    'events.closed.field is state, which is no field',
  ],
  [
    { ...tickets, events: { closed: { ...closed, becomes: ['shut'] } } },
    'events.closed.becomes has shut, which is not one of open, closed',
  ],
  [
    { ...tickets, events: { closed: { ...closed, becomes: 'more' } } },
    'events.closed.becomes can be "more" for amount',
  ],
  [
    { ...tickets, events: { updated: closed } },
    'events.updated must have a name of a-z and _ that is not created',
  ],
])('a mistake is told with what is allowed: %#', (declared, sentence) => {
  expect(problemsIn(declared, declaredResource, world).join('\n')).toContain(sentence);
});

test('an added field takes no name that is there, and is not required', () => {
  const problemsOf = (added: object) =>
    problemsIn({ fields: added }, addedFields, { ...world, already: contacts.fields }).join('\n');
  const { subject, price_amount } = fields;
  expect(problemsOf({ price_amount })).toBe('');
  expect(problemsOf({ email: price_amount })).toContain('fields.email is there already');
  expect(problemsOf({ subject })).toContain('fields.subject cannot be required');
});
