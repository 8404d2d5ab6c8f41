import type { Origin } from '../../../../lib/contract/origin.ts';
import type { Note, Notes } from '../../../../lib/resources/notes.ts';

export const originExample = { kind: 'api', key_id: 'key_2h6w8r1v3z5b7k9m4n0cqtxj' } satisfies Origin;

export const originNotes: Notes<typeof originExample> = {
  kind: [
    'api: a client with a key of this API. product: the app behind this API. operator: the operator of this API, who restored the record from a backup or deleted it. test: nobody, because a test sent an example.',
    originExample.kind,
  ],
  key_id: ['The id of the key. Only with `api`.', originExample.key_id],
};

export const originNote: Note<object> = [
  'Who made the change. null if it was none of these: for example, if a subscription was suspended automatically or resumed by a user, or if the change is older than this field.',
];
