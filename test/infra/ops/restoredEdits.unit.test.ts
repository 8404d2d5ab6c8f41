import { expect, test } from 'vitest';
import { nextItem } from '../../../infra/ops/restore/records.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { orders } from '../../../lib/resources/orders.ts';

const ofAnyType = (collection: unknown) => collection as Collection<Stored>;

test('what a restore changes of a contact counts as edits, so the product takes it; later edits of either state stay', () => {
  const restored = { id: 'con_1', version: 3, note: 'right', client_edits: { note: 3, phone: 2 } };
  const living = {
    id: 'con_1',
    version: 6,
    note: 'wrong',
    client_edits: { email: 5 },
    client_edit_times: { 5: 'then' },
  };
  const { client_edits, client_edit_times, updated_at } = nextItem(ofAnyType(contacts), restored, living);
  expect(client_edits).toEqual({ note: 7, phone: 2, email: 5 });
  expect(client_edit_times).toEqual({ 5: 'then', 7: updated_at });
});

test('a record that clients cannot write has no edits', () => {
  const next = nextItem(ofAnyType(orders), { version: 1, note: 'right' }, { version: 2, note: 'wrong' });
  expect(next).toMatchObject({ note: 'right', version: 3 });
  expect(next).not.toHaveProperty('client_edits');
});
