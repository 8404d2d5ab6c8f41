import { describe, expect, test } from 'vitest';
import { scopedTo } from '../../../lib/keys/key.ts';
import { payloadFor, payloadOf } from '../../../lib/webhooks/model/payload.ts';
import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';

const full = { kind: 'full' } as const;
const manager = scopedTo(['webhooks:manage']);
const reader = scopedTo(['webhooks:manage', 'contacts:read']);

describe('a new subscription', () => {
  test.each([
    ['a key with full access', full, ['*'], 'full'],
    ['a key that may read what it subscribes to', reader, ['contact.*'], 'full'],
    ['a key that may read only a part of it', reader, ['contact.*', 'order.paid'], 'thin'],
    ['a key that may read nothing', manager, ['contact.created'], 'thin'],
  ])('of %s has the largest payload that this key may read', (_, access, types, payload) => {
    expect(payloadFor(access, null, types)).toBe(payload);
    expect(payloadFor(access, 'thin', types)).toBe('thin');
  });

  test('is refused a full payload that its key may not read', () => {
    expect(payloadFor(reader, 'full', ['contact.*'])).toBe('full');
    expect(() => payloadFor(reader, 'full', ['*'])).toThrow(/orders:read(,| and) /);
    expect(() => payloadFor(manager, 'full', ['contact.created'])).toThrow('contacts:read');
  });
});

test('a full payload is sent only of types that are still subscribed to', () => {
  const to = (payload: 'full' | 'thin') => ({ payload, event_types: ['contact.*'] }) as Subscription;
  expect(payloadOf(to('full'), 'contact.created')).toBe('full');
  expect(payloadOf(to('full'), 'order.created')).toBe('thin');
  expect(payloadOf(to('thin'), 'contact.created')).toBe('thin');
});
