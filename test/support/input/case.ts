// What people and programs send: what it is, the fields that are sent, and what is stored of them. undefined: it is refused.
export type Case = [what: string, sent: object, stored: object | undefined];

export const asSent = (what: string, sent: object): Case => [what, sent, sent];

/** Each text of `refused`, as a value of the field. */
export const refusedIn = (field: string, ...values: unknown[]): Case[] =>
  values.map((value) => [`${field} ${JSON.stringify(value).slice(0, 60)}`, { [field]: value }, undefined]);

/** Cases of what only the product states, beside an external id. */
export const terms: Case[] = [
  ['ids of a database', { external_id: 123, source_id: 45 }, { external_id: '123', source_id: '45' }],
  asSent('ids of other systems', { external_id: 'gid://shop/Customer/1', source_id: 'cn=Ada Müller,ou=x' }),
  ...refusedIn('external_id', 2 ** 53, 1.5, 'null', 'Undefined', 'NaN', 'x'.repeat(256), 'a\0'),
  ['a time', { updated_at: '2026-03-01 10:30:00.1239+01:00' }, { updated_at: '2026-03-01T09:30:00.123Z' }],
];
