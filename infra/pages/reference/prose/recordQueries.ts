// The parameters of the lists of records.

import type { Field } from '../../../../lib/resources/field.ts';
import type { AnyNotes, Notes } from '../../../../lib/resources/notes.ts';
import { filtered, type Shaped } from '../../../../lib/resources/resource.ts';
import type { PageQuery } from '../../../../lib/schemas/lists.ts';
import { pollRule } from './lists.ts';

/** Describes the parameters of every list of records. */
export const listed =
  'If you page oldest-first by following `next` in `Link`, you get every record that existed when you started exactly once, even while others are created or deleted. You can combine filters: the list contains the records that match all of them. See the guide to lists.';

export const page: Notes<PageQuery> = {
  limit: ['The maximum number of records on a page, from 1 to 100.', 25],
  offset: ['The number of records to skip. High offsets are as fast as low ones.', 0],
};

export const plus = 'In a URL, write `+` as `%2B`.';
export const anyOf =
  'Only records with one of these values. Separate several values by commas, or repeat the parameter.';
const aDate = 'A date means 00:00 UTC on that day.';
export const sinceNote = (what: string) => `Only records ${what} at or after this time. ${aDate}`;
export const beforeNote = (what: string) => `Only records ${what} before this time. ${aDate}`;
export const [start, end] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'];

export const idsOf = (what: string) =>
  `Only ${what} with these ids, separated by commas. They come in the order of the list, and unknown ids are left out. The default \`limit\` is then 100.`;

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
    sort: ['`created_at` lists the oldest records first, `-created_at` the newest.', 'created_at'],
    after: [
      'Only records that come after the record with this id in the list. `offset` and `total` count from there.',
      notes.id?.[1],
    ],
    id: [idsOf('records'), [notes.id?.[1]]],
    external_id: [`The record with this \`external_id\`. It reflects changes at once. ${plus}`, 'crm-1001'],
    created_since: [sinceNote('created'), start],
    created_before: [beforeNote('created'), end],
    updated_since: [
      `${sinceNote('created or changed')} ${pollRule} Deleted records do not appear in polls: use \`GET /changes\` to learn about them.`,
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
    else if (field.is === 'enum') all[name] = [anyOf, [example]];
    else if (field.is === 'tags')
      all[name] = [
        `Only ${many} with this tag, which cannot contain a comma. Repeat the parameter, as in \`tag=vip&tag=customer\`, to get only ${many} with all of these tags.`,
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
  email: `, ignoring case. ${plus}`,
  line: ', ignoring case.',
  phone: `, however it is written: only the digits are compared, and whether + or 00 precedes them. ${plus}`,
};
