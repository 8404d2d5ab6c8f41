import { type Api, bodyOf, type Schema } from './api.ts';
import { walk } from './walk.ts';

type Subscription = Schema<'WebhookSubscription'>;
type Delivery = Schema<'WebhookDelivery'>;

export const allSubscriptions = (api: Api): AsyncGenerator<Subscription> =>
  walk(async (query) => bodyOf(await api.GET('/webhook-subscriptions', { params: { query } })));

/** The secret is in this answer and in no other. */
export const subscribe = async (
  api: Api,
  body: Schema<'WebhookSubscriptionDraft'>,
): Promise<Schema<'WebhookSubscriptionWithSecret'>> =>
  bodyOf(await api.POST('/webhook-subscriptions', { body }));

const one = '/webhook-subscriptions/{subscriptionId}';

export const getSubscription = async (api: Api, subscriptionId: string): Promise<Subscription> =>
  bodyOf(await api.GET(one, { params: { path: { subscriptionId } } }));

export const updateSubscription = async (
  api: Api,
  subscriptionId: string,
  body: Schema<'WebhookSubscriptionPatch'>,
): Promise<Subscription> => bodyOf(await api.PATCH(one, { params: { path: { subscriptionId } }, body }));

export async function unsubscribe(api: Api, subscriptionId: string): Promise<void> {
  bodyOf(await api.DELETE(one, { params: { path: { subscriptionId } } }));
}

/** The new secret. Those before it sign too, for a day. */
export async function rotateSecret(api: Api, subscriptionId: string): Promise<string> {
  const { secret } = bodyOf(await api.POST(`${one}/rotate-secret`, { params: { path: { subscriptionId } } }));
  return secret;
}

/** Sends a test to the receiver, with two forged ones after it, waits, and returns the outcome. */
export const sendTest = async (api: Api, subscriptionId: string): Promise<Schema<'WebhookTestResult'>> =>
  bodyOf(
    await api.POST(`${one}/test`, { params: { path: { subscriptionId } }, body: { check_signatures: true } }),
  );

/** The words of a parameter are separated by commas. */
const querySerializer = { array: { style: 'form', explode: false } } as const;

/** The deliveries of events about a record that have one of these states, newest first. */
export const deliveriesAbout = (
  api: Api,
  subscriptionId: string,
  resource_id: string,
  status: string[],
): AsyncGenerator<Delivery> =>
  walk(async (page) => {
    const query = { ...page, resource_id, status };
    const params = { path: { subscriptionId }, query };
    return bodyOf(await api.GET(`${one}/deliveries`, { params, querySerializer }));
  });

const delivery = `${one}/deliveries/{deliveryId}` as const;

/** With the text that was sent. */
export const getDelivery = async (
  api: Api,
  { subscription_id: subscriptionId, id: deliveryId }: Delivery,
): Promise<Schema<'WebhookDeliveryWithBody'>> =>
  bodyOf(await api.GET(delivery, { params: { path: { subscriptionId, deliveryId } } }));

/** Sends an event again, whatever became of it. */
export const redeliver = async (
  api: Api,
  { subscription_id: subscriptionId, id: deliveryId }: Delivery,
): Promise<Delivery> =>
  bodyOf(await api.POST(`${delivery}/redeliver`, { params: { path: { subscriptionId, deliveryId } } }));

type Redelivery = Schema<'WebhookRedelivery'>;

/** Sends all events since a time again, also those that the receiver has accepted: it has lost them. */
export const redeliverSince = async (api: Api, subscriptionId: string, since: string): Promise<Redelivery> =>
  bodyOf(
    await api.POST(`${one}/redeliver`, {
      params: { path: { subscriptionId } },
      body: { since, status: 'all' },
    }),
  );

export const getRedelivery = async (
  api: Api,
  { subscription_id: subscriptionId, id: redeliveryId }: Redelivery,
): Promise<Redelivery> =>
  bodyOf(
    await api.GET(`${one}/redeliveries/{redeliveryId}`, {
      params: { path: { subscriptionId, redeliveryId } },
    }),
  );
