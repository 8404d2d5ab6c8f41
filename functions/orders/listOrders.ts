import { endpoint } from '../../lib/http/endpoint.ts';
import { listMatching } from '../../lib/lists/list.ts';
import { listOrders } from '../../lib/resources/orders/operations.ts';
import { orders } from '../../lib/resources/orders/record.ts';

export const handler = endpoint(listOrders, ({ account, query }) => listMatching(orders, account, query));
