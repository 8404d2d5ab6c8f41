import { endpoint } from '../../lib/http/endpoint.ts';
import { getRecord } from '../../lib/records/get.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { getOrder, orders } from '../../lib/resources/orders.ts';

export const handler = endpoint(getOrder, ({ account, params }) =>
  getRecord(inAccount(orders, account), params.orderId),
);
