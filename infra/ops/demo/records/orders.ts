import { faker } from '@faker-js/faker/locale/en';
import { later, type Person, past, someone, times, type World } from './demoValues.ts';

const count = 200;

export const orders = (world: World) => times(count, (i) => order(i, ...someone(world)));

function order(i: number, customer: Person, contact_id: string) {
  const line_items = times(faker.number.int({ min: 1, max: 4 }), (n) => {
    const quantity = faker.number.int({ min: 1, max: 3 });
    const unit_amount = faker.number.int({ min: 4, max: 120 }) * 100;
    return {
      id: String(n + 1),
      type: faker.helpers.arrayElement(['product', 'ticket']),
      name: faker.commerce.productName(),
      quantity,
      unit_amount,
      total_amount: quantity * unit_amount,
    };
  });
  const subtotal_amount = line_items.reduce((sum, { total_amount }) => sum + total_amount, 0);
  const total_amount = subtotal_amount + 490;
  const paid = faker.datatype.boolean(0.85);
  const placed = past(300);
  return {
    external_id: `shop-${50_001 + i}`,
    number: `A-${10_001 + i}`,
    contact_id,
    customer,
    status: paid ? 'completed' : 'confirmed',
    payment_status: paid ? 'paid' : 'unpaid',
    fulfillment_status: paid ? 'fulfilled' : 'unfulfilled',
    currency: faker.helpers.arrayElement(['USD', 'EUR', 'GBP']),
    subtotal_amount,
    shipping_amount: 490,
    tax_amount: Math.round(total_amount * 0.19),
    total_amount,
    paid_amount: paid ? total_amount : 0,
    tax_included: true,
    line_items,
    placed_at: placed.toISOString(),
    paid_at: paid ? later(placed, 3) : null,
  };
}
