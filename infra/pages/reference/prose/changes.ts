import type { Change, ChangeList } from '../../../../lib/contract/changes.ts';
import { contactNotes } from '../../../../lib/resources/contacts.reference.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { ofEach, type ResourceType } from '../../../../lib/resources/index.ts';
import type { AnyNotes, Note, Notes } from '../../../../lib/resources/notes.ts';
import { originExample, originNote } from './origin.ts';

const recordNotes = ofEach(
  (_, type): Note<object> => [
    `Only with \`include=resource\`, and only if ${documents[type].one} changed: the record as it is now, possibly with a higher version. \`null\` if it has been deleted.`,
  ],
);

const alwaysNotes: Notes<Omit<Change, ResourceType>> = {
  number: [
    'The number of the change. The changes of an account are numbered 0, 1, 2, … without gaps, and the number of a change never changes.',
    42,
  ],
  id: [
    'The id of the event about this change. A webhook about it contains the same id in the header webhook-id.',
    'evt_qz0t2pamgs0ca30pmkfk3h9f',
  ],
  type: ['What happened. Each change has one type: the most specific one.', 'contact.updated'],
  at: [
    'When the change was made: the `updated_at` of the version in `resource`.',
    '2026-03-02T08:00:00.000Z',
  ],
  resource: ['The record or webhook subscription that changed.'],
  changed_fields: ['The names of the fields that changed. Empty for creations and deletions.', ['tags']],
  origin: originNote,
  merged_into: [
    'Only in deletions: the id of the record that this one was merged into. `null` if it was not merged.',
    null,
  ],
};

export const changeNotes: Notes<Change> = { ...alwaysNotes, ...recordNotes };

export const changeResourceNotes: Notes<Change['resource']> = {
  type: ['The type of the resource.', 'contact'],
  id: ['The id of the resource.', contactNotes.id[1]],
  version: [
    'The version after the change. The record may have a higher version by now. If your copy has this version or a higher one, ignore the change.',
    2,
  ],
};

const examplesIn = (notes: AnyNotes) =>
  Object.fromEntries(Object.entries(notes).map(([name, [, example]]) => [name, example]));

const { merged_into: _, ...ofUpdate } = alwaysNotes;

/** A change without `include` that is not a deletion. */
export const changeExample = {
  ...examplesIn(ofUpdate),
  resource: examplesIn(changeResourceNotes),
  origin: originExample,
};

export const changeListNotes: Notes<ChangeList> = {
  data: [
    'The changes on this page, up to `limit`. The page contains only changes that the key may read and that the query selects.',
  ],
  pagination: ['The numbers that this page covers, and where the next page begins.'],
};

export const changePaginationNotes: Notes<ChangeList['pagination']> = {
  limit: ['The maximum number of changes on a page: the `limit` of the request.', 25],
  offset: ['The `offset` of the request, or 0.', 0],
  total: [
    'The exact number of changes that are kept, counted from `after` if the request has one. Includes changes that the key may not read or that the query leaves out.',
    1,
  ],
  has_more: [
    'Whether there may be more changes after this page. A page with `true` usually contains `limit` changes. It contains fewer if the query selects less than one change in a hundred, or if the records exceed 6 MB. It is empty only if the query selects none of five million changes in a row.',
    false,
  ],
  next_after: [
    'Send this as `after` in the next request. It is the last number that this page covers. On an empty page at the end, it stays the same as `after`. `-1` if the account has no changes yet.',
    42,
  ],
};
