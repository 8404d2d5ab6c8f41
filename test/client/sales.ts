import { type Api, bodyOf, type Schema } from './api.ts';
import { walk } from './walk.ts';

export const allOrders = (api: Api): AsyncGenerator<Schema<'Order'>> =>
  walk(async (query) => bodyOf(await api.GET('/orders', { params: { query } })));

export const getOrder = async (api: Api, orderId: string): Promise<Schema<'Order'>> =>
  bodyOf(await api.GET('/orders/{orderId}', { params: { path: { orderId } } }));

export const allRegistrations = (api: Api): AsyncGenerator<Schema<'EventRegistration'>> =>
  walk(async (query) => bodyOf(await api.GET('/event-registrations', { params: { query } })));

export const getRegistration = async (
  api: Api,
  registrationId: string,
): Promise<Schema<'EventRegistration'>> =>
  bodyOf(await api.GET('/event-registrations/{registrationId}', { params: { path: { registrationId } } }));

/** What was sold, by its currency, in the currency's minor unit. */
export async function revenue(orders: AsyncIterable<Schema<'Order'>>): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for await (const { currency, paid_amount, refunded_amount } of orders)
    sums[currency] = (sums[currency] ?? 0) + paid_amount - refunded_amount;
  return sums;
}
