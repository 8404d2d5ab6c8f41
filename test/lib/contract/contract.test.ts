import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contact } from '../../../lib/contract/contacts.ts';
import { eventRegistration } from '../../../lib/contract/eventRegistrations.ts';
import { operations } from '../../../lib/contract/index.ts';
import { type Operation, scopes } from '../../../lib/contract/operation.ts';
import { orderDraft } from '../../../lib/contract/orderDraft.ts';
import { order } from '../../../lib/contract/orders.ts';
import type { Layout } from '../../../lib/records/collection.ts';
import { contacts } from '../../../lib/records/contacts.ts';
import { eventRegistrations } from '../../../lib/records/eventRegistrations.ts';
import { orders } from '../../../lib/records/orders.ts';
import { anOrder } from '../../support/given.ts';

describe('operations', () => {
  test('ids and routes are unique', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(routes).size).toBe(operations.length);
  });

  test('every scope of the specification is known, and no other', () => {
    expect([...scopes]).toEqual([
      'contacts:read',
      'contacts:write',
      'orders:read',
      'events:read',
      'webhooks:manage',
    ]);
  });

  test.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
    '%s reads with a scope to read and writes with a scope to write',
    (_, { method, scope, path }) => {
      const area = path.split('/')[1];
      const right = { contacts: 'contacts', orders: 'orders', 'event-registrations': 'events' }[
        area as string
      ];
      expect(scope).toBe(right ? `${right}:${method === 'GET' ? 'read' : 'write'}` : null);
    },
  );
});

describe('layouts', () => {
  /** The layout that a schema stands for. */
  function layoutOf(schema: z.ZodType): Layout {
    if (schema instanceof z.ZodNullable) return layoutOf(schema.unwrap() as z.ZodType);
    if (schema instanceof z.ZodArray) {
      const inner = layoutOf(schema.element as z.ZodType);
      return inner === null ? null : [inner];
    }
    if (schema instanceof z.ZodObject)
      return Object.fromEntries(
        Object.entries(schema.shape).map(([name, field]) => [name, layoutOf(field as z.ZodType)]),
      );
    return schema instanceof z.ZodPipe ? 'by name' : null;
  }

  test.each([
    ['contacts', contacts.layout, contact()],
    ['orders', orders.layout, order()],
    ['event registrations', eventRegistrations.layout, eventRegistration()],
  ] as [string, Layout, z.ZodType][])(
    '%s are stored with the fields of the contract, in its order',
    (_, layout, schema) => {
      expect(JSON.stringify(layout)).toBe(JSON.stringify(layoutOf(schema)));
    },
  );
});

describe('order amounts', () => {
  const total = (more: object) => orderDraft().safeParse(anOrder({ subtotal_amount: 1000, ...more })).success;

  test.each([
    ['nothing else', { total_amount: 1000 }, true],
    ['a discount', { discount_amount: 100, total_amount: 900 }, true],
    ['shipping and a fee', { shipping_amount: 50, fee_amount: 5, total_amount: 1055 }, true],
    ['tax on top', { tax_amount: 190, total_amount: 1190 }, true],
    ['tax inside', { tax_amount: 160, tax_included: true, total_amount: 1000 }, true],
    ['a sum that is wrong', { total_amount: 999 }, false],
    ['tax counted twice', { tax_amount: 160, tax_included: true, total_amount: 1160 }, false],
  ])('%s', (_, more, right) => {
    expect(total(more)).toBe(right);
  });
});
