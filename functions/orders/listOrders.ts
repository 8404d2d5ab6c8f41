import { listOrders } from '../../lib/contract/orders.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listRecords } from '../../lib/records/list.ts';
import { orders } from '../../lib/records/orders.ts';

export const handler = endpoint(listOrders, ({ account, query }) => listRecords(orders, account, query));
