import { output } from '../component.ts';
import { listNotes } from '../listNotes.ts';
import { order } from './fields.ts';
import { getOrder, listOrders, orderOperations } from './operations.ts';
import { customerNotes, lineItemNotes, orderNotes, orderReference } from './reference.ts';

export const orderDocument = {
  name: 'Order',
  one: 'an order',
  short: 'an order',
  list: listOrders,
  read: getOrder,
  operations: orderOperations,
  reference: orderReference,
  notes: orderNotes,
  components: {
    Order: output(order, 'An order, with its lines and its status.', orderNotes),
    Customer: output(() => order().shape.customer, 'The buyer of an order.', customerNotes),
    LineItem: output(() => order().shape.line_items.element, 'A line of an order.', lineItemNotes),
    OrderList: output(listOrders.success.body, 'A page of orders.', listNotes),
  },
} as const;
