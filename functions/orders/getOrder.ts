import { getOrder } from '../../lib/contract/orders.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { orders } from '../../lib/records/orders.ts';

export const handler = endpoint(getOrder, ({ account, params }) =>
  getRecord(orders, account, params.orderId),
);
