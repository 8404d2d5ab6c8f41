import type { Notes } from './notes.ts';

export const paginationNotes: Notes<{ limit: number; offset: number; total: number }> = {
  limit: ['How many records a page holds at most, as it was asked for.', 25],
  offset: ['How many records come before this page.', 0],
  total: ['How many records there are, exactly, at the moment of this page.', 1],
};

export const listNotes: Notes<{ data: object[]; pagination: object }> = {
  data: ['The records of this page. Empty past the end.'],
  pagination: ['Which page it is, and how many records there are.'],
};
