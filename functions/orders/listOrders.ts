import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { listOrders, orders } from '../../lib/resources/orders.ts';

export const handler = endpoint(listOrders, ({ account, query }) => listMatching(orders, account, query));
