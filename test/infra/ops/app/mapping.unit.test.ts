import { expect, test } from 'vitest';
import { apiSql, assertNamedOnce } from '../../../../infra/ops/app/apiSql.ts';
import { readMapping } from '../../../../infra/ops/app/mapping.ts';

const contacts = `[contacts] people
key t.id bigint
account t.org # whose
create INSERT INTO people (org)
  VALUES ($account) RETURNING id
delete DELETE FROM people WHERE id = $key
email <-> t.mail
`;

test('a line is continued by blanks, and ends with a comment', () => {
  const [mapping] = readMapping(contacts);
  expect(mapping).toMatchObject({
    account: 't.org',
    create: 'INSERT INTO people (org) VALUES ($account) RETURNING id',
    fields: [{ path: 'email', written: [{ alias: 't', column: 'mail', sql: '$' }] }],
  });
});

test.for([
  ['email <-> t.mail', 'Line 1 of the mapping comes before the first [resource] table'],
  [`${contacts}mail`, 'Line 8 of the mapping is none of key, account'],
  [`${contacts}note <-> lower(t.note)`, 'Line 8 of the mapping has <-> without a column'],
  [`${contacts}note <- t.note -> upper($)`, 'has an assignment that is not column = value'],
  [`${contacts}note <- t.note -> t.mail = $`, 'writes t.mail, and so does an earlier line'],
  [`${contacts}custom_fields <-> t.extra`, 'is written as a whole, but clients edit parts of it'],
  [`${contacts}custom_fields.a.b <- t.note`, 'names a part of a part'],
  [
    `${contacts}custom_fields.a <- t.a\ncustom_fields <- t.b`,
    'names a whole of which another line names a part',
  ],
  [
    `${contacts}lookup orgs org ON org.id = t.org\ncompany <-> org.name`,
    'writes org.name, but clients can only change t and the row of a part',
  ],
  [contacts.replace(/key.*\n/, ''), '[contacts] of the mapping has no key.'],
  [`${contacts}part emails m ON m.is_primary`, 'a join without m.column = other.column'],
  ['[invoices] bills', 'a resource that the API does not have (contacts'],
  [
    `${contacts}[orders] sales\nkey t.id int\naccount t.org\nnumber <-> t.no`,
    '[orders] of the mapping has no create, no delete.',
  ],
  [
    `${contacts}[orders] sales\nkey t.id int\naccount t.org\nnumber <- t.no\nmoves a.b`,
    '[orders] of the mapping has moves, but only contacts are merged.',
  ],
  [`${contacts}[orders] sales\ncontact_id <-> t.person`, 'write contact_source_id <-> and the column'],
  [`${contacts}address <-> t.address`, 'is written as a whole, but clients edit parts'],
  [
    `${contacts}note <- t.note -> t.note = concat($, $missing)`,
    'writes $missing, which is none of its fields',
  ],
  [`${contacts}account <-> t.book`, '[contacts] of the mapping has account, but its view has a column'],
  ['[orders] sales\nkey t.id bigint\naccount t.org\nnumber <- t.id', 'The mapping needs [contacts]'],
] as const)('a mapping that ends in "%s" is refused', ([text, reason]) => {
  expect(() => apiSql(readMapping(text))).toThrow(reason);
});

test('a resource whose view would have the name of a table of ours is refused', () => {
  const sql = apiSql(readMapping(contacts));
  for (const name of ['api_rows', 'api_records', 'api_contacts'])
    expect(() => assertNamedOnce(`${sql}\nCREATE VIEW ${name} AS SELECT 1;`)).toThrow(
      `would be ${name}, a name`,
    );
});

test('a column of two fields is written when either changes', () => {
  const sql = apiSql(
    readMapping(`${contacts}company <-> t.firm\nnote <- t.note -> t.note = concat($, $company)`),
  );
  const isEdited = (path: string) => `NEW."${path}"::text IS DISTINCT FROM OLD."${path}"::text`;
  expect(sql).toContain(
    `note = CASE WHEN ${isEdited('note')} OR ${isEdited('company')} THEN concat(NEW."note", NEW."company") ELSE t.note END`,
  );
});
