import { type Api, bodyOf, type Schema } from './api.ts';
import { walk, walkBehind } from './walk.ts';

export const allOrders = (api: Api): AsyncGenerator<Schema<'Order'>> =>
  walk(async (query) => bodyOf(await api.GET('/orders', { params: { query } })));

/** The words of an enumeration are separated by commas. openapi-fetch does not read this in the document. */
const querySerializer = { array: { style: 'form', explode: false } } as const;

/** The orders with one of these statuses of payment, newest first. */
export const ordersWith = (api: Api, payment_status: string[]): AsyncGenerator<Schema<'Order'>> =>
  walkBehind(async (page) => {
    const query = { ...page, payment_status, sort: '-created_at' } as const;
    return bodyOf(await api.GET('/orders', { params: { query }, querySerializer }));
  });

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
