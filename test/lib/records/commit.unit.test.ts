import { expect, test } from 'vitest';
import { packDrafts } from '../../../lib/records/commitQueue/commit.ts';
import type { Draft } from '../../../lib/records/recordItem.ts';
import { byKey, byProduct } from '../../../lib/records/recordOrigin.ts';
import type { Contact } from '../../../lib/resources/contacts.ts';

const client = byKey('key_1');

// A transaction has 100 actions. One moves the counter, and each draft of the queue has its record and its outcome.
test.each([
  ['of a client, without an external id', { origin: client }, false, 49],
  ['of a client, with an external id', { origin: client }, true, 33],
  ['of your app, with a row', { origin: byProduct, sourceId: '1' }, false, 33],
  ['of your app, with an external id alone: its note is checked', { origin: byProduct }, true, 24],
  ['of your app, without a name', { origin: byProduct }, false, 49],
] as const)('a transaction holds as many drafts as fit: %s', (_, more, isNamed, fitting) => {
  const entries = Array.from({ length: 100 }, (_, i) => ({
    draft: {
      ...more,
      ...('sourceId' in more ? { sourceId: `${i}` } : {}),
      content: { external_id: isNamed ? `${i}` : null },
    },
    ticket: `${i}`,
  })) as unknown as { draft: Draft<Contact>; ticket: string }[];
  expect(packDrafts(entries)).toHaveLength(fitting);
});
