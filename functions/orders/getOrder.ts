import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { getOrder } from '../../lib/resources/orders/operations.ts';
import { orders } from '../../lib/resources/orders/record.ts';

export const handler = endpoint(getOrder, ({ account, params }) =>
  getRecord(orders, account, params.orderId),
);
