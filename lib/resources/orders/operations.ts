import { id } from '../../values/fields.ts';
import { anyOf, before, exactly, recordListOf, recordQuery, since } from '../../values/filters.ts';
import { lazy } from '../../values/lazy.ts';
import { externalId, text } from '../../values/texts/texts.ts';
import { operation } from '../operation.ts';
import { fulfillmentStatuses, order, orderStatuses, paymentStatuses } from './fields.ts';

const orderQuery = /* @__PURE__ */ lazy(() =>
  recordQuery('ord', {
    external_id: exactly(externalId()),
    number: exactly(text(100)),
    contact_id: exactly(id('con')),
    status: anyOf(...orderStatuses),
    payment_status: anyOf(...paymentStatuses),
    fulfillment_status: anyOf(...fulfillmentStatuses),
    placed_since: since(),
    placed_before: before(),
  }),
);

export const listOrders = /* @__PURE__ */ operation({
  id: 'listOrders',
  method: 'GET',
  path: '/orders',
  scope: 'orders:read',
  summary: 'List orders',
  query: orderQuery,
  success: { status: 200, body: /* @__PURE__ */ recordListOf(order), headers: ['Link'] },
});

export const getOrder = /* @__PURE__ */ operation({
  id: 'getOrder',
  method: 'GET',
  path: '/orders/{orderId}',
  scope: 'orders:read',
  summary: 'Read an order',
  requestHeaders: ['If-None-Match'],
  success: { status: 200, body: order, headers: ['ETag'] },
});

export const orderOperations = [listOrders, getOrder] as const;
