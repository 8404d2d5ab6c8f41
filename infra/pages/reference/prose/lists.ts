import type { Notes } from '../../../../lib/resources/notes.ts';

/** docs/guide.md and docs/clients.md also explain this rule about polls. */
export const pollRule =
  "To miss nothing, start each poll at the `next_updated_since` that the previous poll's first page returned. If you choose the time yourself, overlap by the duration of a full pass plus one minute; a filter that lags more than that can still miss records.";

export const paginationNotes: Notes<{ limit: number; offset: number; total: number }> = {
  limit: ['The maximum number of records on a page: the `limit` of the request.', 25],
  offset: ['The number of records before this page.', 0],
  total: ['The exact number of records that match the query at the time of the response.', 1],
};

export const recordPaginationNotes: Notes<{
  limit: number;
  offset: number;
  total: number;
  next_updated_since: string | null;
}> = {
  ...paginationNotes,
  next_updated_since: [
    'Send this as `updated_since` in your next poll to miss no change. It is one minute before the start of this poll, or earlier if filters were late. Only the first page contains it; on other pages it is `null`.',
    '2026-03-02T07:59:00.000Z',
  ],
};

export const listNotes: Notes<{ data: object[]; pagination: object }> = {
  data: ['The records on this page. A page past the end of the list is empty.'],
  pagination: ['The position of this page, and how many records there are.'],
};
