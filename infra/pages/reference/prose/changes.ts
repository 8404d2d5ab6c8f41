import type { Change, ChangeList } from '../../../../lib/contract/changes.ts';
import { contactNotes } from '../../../../lib/resources/contacts.reference.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { ofEach, type ResourceType } from '../../../../lib/resources/index.ts';
import type { AnyNotes, Note, Notes } from '../../../../lib/resources/notes.ts';
import { originExample, originNote } from './origin.ts';

const recordNotes = ofEach(
  (_, type): Note<object> => [
    `Only with \`include=resource\`, and only of a change of ${documents[type].one}: the record as it is now, which may have a higher version; \`null\` when it is deleted.`,
  ],
);

const alwaysNotes: Notes<Omit<Change, ResourceType>> = {
  number: [
    'The number of the change. The changes of an account are numbered 0, 1, 2, … without gaps, and a number never changes.',
    42,
  ],
  id: [
    'The id of the event about this change. A webhook about it has the same id in the header webhook-id.',
    'evt_qz0t2pamgs0ca30pmkfk3h9f',
  ],
  type: ['What happened. One change has one type, the most specific one.', 'contact.updated'],
  at: ['The time of the change: the `updated_at` of that version.', '2026-03-02T08:00:00.000Z'],
  resource: ['The record or the webhook subscription that changed.'],
  changed_fields: ['The names of the changed fields. Empty for a creation and a deletion.', ['tags']],
  origin: originNote,
  merged_into: [
    'Only for a deletion: the id of the record that took its place; `null` when there is none.',
    null,
  ],
};

export const changeNotes: Notes<Change> = { ...alwaysNotes, ...recordNotes };

export const changeResourceNotes: Notes<Change['resource']> = {
  type: ['The type of the resource.', 'contact'],
  id: ['The id of the resource.', contactNotes.id[1]],
  version: [
    'The version that the change made. The record may have a higher one by now. If your copy has this version or a higher one, ignore the change.',
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
    'The changes on this page, at most `limit`. It contains only changes that the key may read and that the query selects.',
  ],
  pagination: ['Which numbers the page covers, and where the next one begins.'],
};

export const changePaginationNotes: Notes<ChangeList['pagination']> = {
  limit: ['The most changes that a page holds: the `limit` of the request.', 25],
  offset: ['The `offset` of the request, or 0.', 0],
  total: [
    'The exact number of changes that are kept, or of those after `after`, also of those that the key or the query leaves out.',
    1,
  ],
  has_more: [
    'Whether there may be more changes after this page now. A page with `true` has `limit` changes, or fewer where fewer than one in a hundred is listed, or where 100 records are more than 6 MB. It is empty only after five million numbers in a row of which none is listed.',
    false,
  ],
  next_after: [
    'The `after` of the next request: the last number that this page covers, or the number after which an empty page waits. `-1` when no change has a number yet.',
    42,
  ],
};
