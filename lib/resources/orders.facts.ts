import type { Facts } from './facts.ts';

export const orderFacts = {
  prefix: 'ord',
  path: 'orders',
  scopes: ['orders:read'],
  operations: ['listOrders', 'getOrder'],
  eventTypes: [
    'order.created',
    'order.updated',
    'order.deleted',
    'order.paid',
    'order.cancelled',
    'order.refunded',
  ],
} as const satisfies Facts<'order'>;
