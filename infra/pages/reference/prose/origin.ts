import type { Origin } from '../../../../lib/contract/origin.ts';
import type { Note, Notes } from '../../../../lib/resources/notes.ts';

export const originExample = { kind: 'api', key_id: 'key_2h6w8r1v3z5b7k9m4n0cqtxj' } satisfies Origin;

export const originNotes: Notes<typeof originExample> = {
  kind: [
    'api: a key of this API. product: the product itself, whose API this is. operator: the operator of this API, who has brought the record back from a backup, or deleted it. test: nothing was changed; a test has sent an example.',
    originExample.kind,
  ],
  key_id: ['The id of the key. Only with `api`.', originExample.key_id],
};

export const originNote: Note<object> = [
  'Who made the change. null when it was none of these, as for a subscription that was suspended by itself or resumed by a person, and for a change that is older than this field.',
];
