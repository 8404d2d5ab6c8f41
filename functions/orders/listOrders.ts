import { listMatching } from '../../lib/filterIndex/listMatching.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { inAccount } from '../../lib/records/recordKeys.ts';
import { listOrders, orders } from '../../lib/resources/orders.ts';

export const handler = endpoint(listOrders, ({ account, query }) =>
  listMatching(inAccount(orders, account), query),
);
