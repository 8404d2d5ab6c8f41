import type { Notes } from '../../../../lib/resources/notes.ts';

/** docs/guide.md and docs/clients.md also explain this rule about polls. */
export const pollRule =
  "To miss nothing, start each poll at the `next_updated_since` that the previous poll's first page returned. If you choose the time yourself, overlap by the duration of a full pass plus one minute; a filter that lags more than that can still miss records.";

export const paginationNotes: Notes<{ limit: number; offset: number; total: number }> = {
  limit: ['The maximum number of records in a page: the `limit` of the request.', 25],
  offset: ['How many records are before this page.', 0],
  total: ['The exact number of records that match the query, at the moment of this page.', 1],
};

export const recordPaginationNotes: Notes<{
  limit: number;
  offset: number;
  total: number;
  next_updated_since: string | null;
}> = {
  ...paginationNotes,
  next_updated_since: [
    'The `updated_since` of your next pass, which then misses no change: a minute before this pass, or earlier when filters were late. The first page has it. On later pages it is `null`.',
    '2026-03-02T07:59:00.000Z',
  ],
};

export const listNotes: Notes<{ data: object[]; pagination: object }> = {
  data: ['The records of this page. A page past the end is empty.'],
  pagination: ['Which page it is, and how many records there are.'],
};
