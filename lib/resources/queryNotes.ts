// Prose that the references of several resources share.
import type { PageQuery } from '../values/lists.ts';
import { pollRule } from './listNotes.ts';
import type { Note, Notes } from './notes.ts';

export const inOrder =
  'Paging oldest-first along `next` of `Link` returns every record that existed when you started exactly once, even while others are created and deleted.';

export const filtered =
  'The filters combine: a record is listed if it matches all of them. See the guide to lists.';

export const page: Notes<PageQuery> = {
  limit: ['The most records that the page may hold. A limit over 100 is 400, and is not reduced.', 25],
  offset: ['How many records to skip. Any offset costs the same.', 0],
};

export const plus = 'In a URL, `+` is written `%2B`.';
export const anyOf =
  'One or more words: records with any of them. They are separated by commas, or the parameter is given several times.';
const aDate = 'A date is that day at 00:00 UTC.';
export const sinceNote = (what: string) => `Only records ${what} at this time or later. ${aDate} ${plus}`;
export const beforeNote = (what: string) => `Only records ${what} before this time. ${aDate} ${plus}`;
export const [start, end] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'];

export const ofContact: Note<string> = [
  'Only records of the contact with this id.',
  'con_9x7aej2svz025b0x7prpcchs',
];
export const externalIdNote: Note<string> = [
  `The record with this \`external_id\`. It follows a change at once. ${plus}`,
  'crm-1001',
];

export const idsOf = (what: string) =>
  `Only ${what} with these ids, separated by commas, in the order of the list. Unknown ids are left out. The default \`limit\` is then 100.`;

/** The parameters of every list of records. @param example an id of such a record */
export const recordList = (example: string) =>
  ({
    ...page,
    sort: ['The order: `created_at` is oldest first, `-created_at` is newest first.', 'created_at'],
    after: [
      'Only records after the one with this id in the order of the list. `offset` counts from there.',
      example,
    ],
    id: [idsOf('records'), [example]] as Note<string[]>,
    created_since: [sinceNote('created here'), start],
    created_before: [beforeNote('created here'), end],
    updated_since: [`${sinceNote('created or changed here')} ${pollRule}`, start],
  }) as const;

export const cancelledAt = '2026-03-02T08:00:00.000Z';
