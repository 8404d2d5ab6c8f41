import type { Notes } from './notes.ts';

export const paginationNotes: Notes<{ limit: number; offset: number; total: number }> = {
  limit: ['The most records that a page holds: the `limit` of the request.', 25],
  offset: ['How many records are before this page.', 0],
  total: ['The exact number of records that match the filters, at the moment of this page.', 1],
};

export const listNotes: Notes<{ data: object[]; pagination: object }> = {
  data: ['The records of this page. A page past the end is empty.'],
  pagination: ['Which page it is, and how many records there are.'],
};
