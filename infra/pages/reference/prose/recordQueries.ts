// The parameters of the lists of records.

import type { Field } from '../../../../lib/resources/field.ts';
import type { AnyNotes, Notes } from '../../../../lib/resources/notes.ts';
import { filtered, type Shaped } from '../../../../lib/resources/resource.ts';
import type { PageQuery } from '../../../../lib/values/lists.ts';
import { pollRule } from './lists.ts';

/** Describes the parameters of every list of records. */
export const listed =
  'Paging oldest-first along `next` of `Link` returns every record that existed when you started exactly once, even while others are created and deleted. The filters combine: a record is listed if it matches all of them. See the guide to lists.';

export const page: Notes<PageQuery> = {
  limit: ['The most records that the page may hold. A limit over 100 is 400, and is not reduced.', 25],
  offset: ['How many records to skip. Any offset costs the same.', 0],
};

export const plus = 'In a URL, `+` is written `%2B`.';
export const anyOf =
  'One or more words: records with any of them. They are separated by commas, or the parameter is given several times.';
const aDate = 'A date is that day at 00:00 UTC.';
export const sinceNote = (what: string) => `Only records ${what} at this time or later. ${aDate}`;
export const beforeNote = (what: string) => `Only records ${what} before this time. ${aDate}`;
export const [start, end] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'];

export const idsOf = (what: string) =>
  `Only ${what} with these ids, separated by commas, in the order of the list. Unknown ids are left out. The default \`limit\` is then 100.`;

/** Names the records of a list: `event registrations`. */
interface Listed {
  many: string;
  notes: AnyNotes;
  /** The notes of the fields of groups, by the name of the group. */
  groups: Readonly<Record<string, AnyNotes>>;
}

/** Returns the notes of a list's parameters: those of every list of records, and one for each filter, with the example of its field. */
export function recordQueryNotes({ fields }: Shaped, { many, notes, groups }: Listed): AnyNotes {
  const all: Record<string, readonly [string, unknown]> = {
    ...page,
    sort: ['The order: `created_at` is oldest first, `-created_at` is newest first.', 'created_at'],
    after: [
      'Only records after the one with this id in the order of the list. `offset` and `total` count from there.',
      notes.id?.[1],
    ],
    id: [idsOf('records'), [notes.id?.[1]]],
    external_id: [`The record with this \`external_id\`. It follows a change at once. ${plus}`, 'crm-1001'],
    created_since: [sinceNote('created here'), start],
    created_before: [beforeNote('created here'), end],
    updated_since: [
      `${sinceNote('created or changed here')} ${pollRule} Deleted records are in no poll: follow \`GET /changes\` to see them.`,
      start,
    ],
  };
  for (const { name, path, field } of filtered(fields)) {
    const [first = '', inner] = path;
    const example = (inner === undefined ? notes[first] : groups[first]?.[inner])?.[1];
    if (field.is === 'time')
      Object.assign(all, {
        [`${name}_since`]: [sinceNote(wordsOf(name)), start],
        [`${name}_before`]: [beforeNote(wordsOf(name)), end],
      });
    else if (field.is === 'word') all[name] = [anyOf, [example]];
    else if (field.is === 'tags')
      all[name] = [
        `Only ${many} with this tag, which has no comma. Given several times, as in \`tag=vip&tag=customer\`: those with all of these tags.`,
        example,
      ];
    else if (field.is === 'ref') all[name] = [`Only records with this \`${name}\`.`, example];
    else all[name] = [`Only ${many} with this \`${path.join('.')}\`${forms[field.is] ?? '.'}`, example];
  }
  return all;
}

const wordsOf = (name: string) => name.replaceAll('_', ' ');

/** How filters compare values, by type. */
const forms: { [Kind in Field['is']]?: string } = {
  email: `, in any letter case. ${plus}`,
  line: ', in any letter case.',
  phone: `, however it is written: digits are compared, and a + or 00 before them. ${plus}`,
};
