import { expect, test } from 'vitest';
import { readMessage } from '../../../lib/inbox/readMessage.ts';

const record = {
  external_id: 'crm-1',
  email: 1,
  ada_lovelace: 1,
  address: { country: 'Deutschland', ada: 1 },
};

test.each([
  [
    'left out',
    { account: 'acme', resource: 'contacts', record: { ...record, custom_fields: { ada: 2 ** 53 } } },
  ],
  ['refused', { account: 'acme', resource: 'orders', record: { ...record, line_items: [{ ada: 1 }] } }],
  ['a deletion', { account: 'acme', resource: 'contacts', deleted: { id: 'con_1', ada: 1 } }],
  ['around the record', { account: 'acme', resource: 'contacts', record, ada: 1 }],
])('of the names in a message, those of the contract alone are in its problems: %s', (_, message) => {
  const read = readMessage(JSON.stringify(message));
  const problems = 'problems' in read ? read.problems : read.leftOut;
  const said = problems.join('; ');
  expect(said).toMatch(/"…" (?:is not known here|must be)/);
  expect(said).not.toMatch(/\bada/);
});

test('a message that cannot be read is about a record all the same, so the product is told', () => {
  const about = { account: 'acme', resource: 'contacts' };
  const subject = { ...about, source_id: '1', external_id: null, revision: 2 };
  for (const said of [
    { record: { source_id: '1', revision: 2 } },
    { deleted: { source_id: '1', revision: 2 } },
  ])
    expect(readMessage(JSON.stringify({ ...about, ...said, more: 1 }))).toMatchObject({ subject });
});

test('the problems of a message name the fields of the contract', () => {
  const { leftOut } = readMessage(JSON.stringify({ account: 'acme', resource: 'contacts', record })) as {
    leftOut: readonly string[];
  };
  expect(leftOut.map((one) => one.split(' ')[0])).toEqual(
    expect.arrayContaining(['record.email', 'record.address.country', 'record.address."…"']),
  );
});
