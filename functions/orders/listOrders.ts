import { listOrders } from '../../lib/contract/orders.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/index/list.ts';
import { orders } from '../../lib/records/orders.ts';

export const handler = endpoint(listOrders, ({ account, query }) => listMatching(orders, account, query));
