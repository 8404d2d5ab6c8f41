import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { inAccount } from '../../lib/records/keys.ts';
import { listOrders, orders } from '../../lib/resources/orders.ts';

export const handler = endpoint(listOrders, ({ account, query }) =>
  listMatching(inAccount(orders, account), query),
);
