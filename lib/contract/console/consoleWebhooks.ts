import type * as z from 'zod';
import { ofAll } from '../../resources/index.ts';
import type { Operation } from '../../resources/operation.ts';
import { boolean, id as idOf, idOfAny, integer } from '../../schemas/fields.ts';
import { lazy } from '../../schemas/lazy.ts';
import { list, object, orNull } from '../../schemas/structure.ts';
import { time } from '../../schemas/times.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookSubscription,
  webhookDelivery,
} from '../webhookDeliveries.ts';
import { getWebhookRedelivery, redeliverWebhooks } from '../webhookRedeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
  webhookSubscription,
} from '../webhookSubscriptions.ts';
import { consoleOperation, type Role } from './consoleOperation.ts';

/** The same operation in the console: it takes the same input, but a session instead of a key. */
type InConsole<O extends Operation, R extends Role> = Omit<O, 'id' | 'path' | 'scope' | 'namesOwner'> & {
  id: `console${Capitalize<O['id']>}`;
  path: `/api${O['path']}`;
  role: R;
};

/** Makes a console operation of a public one. It leaves out Location and Link, because their URLs belong to the public API. */
const inConsole = <const O extends Operation, const R extends Role>(
  { id, path, scope, namesOwner, success, ...same }: O,
  role: R,
) =>
  ({
    ...same,
    id: `console${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    path: `/api${path}`,
    role,
    success: { ...success, headers: success.headers?.filter((name) => name === 'ETag') ?? [] },
  }) as unknown as InConsole<O, R>;

/** The maximum number of deliveries in a response, newest first. */
export const foundMax = 100;

export const foundDeliveries = /* @__PURE__ */ lazy(() =>
  object({ data: list(webhookDelivery(), { max: foundMax }), has_more: boolean() }),
);

/** Finds deliveries in all subscriptions: by the id of a delivery, an event (its `webhook-id`), a record or a subscription. */
export const findWebhookDeliveries = /* @__PURE__ */ consoleOperation({
  id: 'findWebhookDeliveries',
  method: 'GET',
  path: '/api/webhook-deliveries',
  role: 'viewer',
  query: lazy(() => object({ id: idOfAny('dlv', 'evt', ...ofAll(({ prefix }) => [prefix], 'whs')) })),
  success: { status: 200 },
});

/** The deliveries that a receiver still has to accept, and those that it has refused. */
const deliverySummary = () =>
  object({
    /** How many deliveries are pending. */
    waiting: integer({ min: 0 }),
    /** How many deliveries of the last 24 hours have failed for good. */
    failed_24h: integer({ min: 0 }),
    /** The time of the first failed attempt since the last success; `null` when the last one succeeded. */
    failing_since: orNull(time()),
    /** The earliest planned attempt at a pending delivery; `null` if none is planned. */
    next_attempt_at: orNull(time()),
    /** The newest failure of a pending delivery's last attempt. With very many, only the newest and the oldest deliveries are searched. */
    last_failure: orNull(webhookDelivery().shape.attempts.element),
    /** The bulk redelivery that is running; `null` if none is. */
    redelivery: orNull(idOf('rdl')),
  });

/** A subscription with a summary of its deliveries. */
export const consoleSubscription = /* @__PURE__ */ lazy(() =>
  webhookSubscription().extend({ deliveries: deliverySummary() }),
);
export type ConsoleSubscription = z.output<ReturnType<typeof consoleSubscription>>;

export const consoleListWebhookSubscriptions = /* @__PURE__ */ inConsole(listWebhookSubscriptions, 'viewer');
export const consoleCreateWebhookSubscription = /* @__PURE__ */ inConsole(createWebhookSubscription, 'admin');
export const consoleGetWebhookSubscription = /* @__PURE__ */ inConsole(getWebhookSubscription, 'viewer');
export const consoleUpdateWebhookSubscription = /* @__PURE__ */ inConsole(updateWebhookSubscription, 'admin');
export const consoleDeleteWebhookSubscription = /* @__PURE__ */ inConsole(deleteWebhookSubscription, 'admin');
export const consoleRotateWebhookSecret = /* @__PURE__ */ inConsole(rotateWebhookSecret, 'admin');
export const consoleTestWebhookSubscription = /* @__PURE__ */ inConsole(testWebhookSubscription, 'admin');
export const consoleListWebhookDeliveries = /* @__PURE__ */ inConsole(listWebhookDeliveries, 'viewer');
export const consoleGetWebhookDelivery = /* @__PURE__ */ inConsole(getWebhookDelivery, 'viewer');
export const consoleRedeliverWebhook = /* @__PURE__ */ inConsole(redeliverWebhook, 'admin');
export const consoleRedeliverWebhooks = /* @__PURE__ */ inConsole(redeliverWebhooks, 'admin');
export const consoleGetWebhookRedelivery = /* @__PURE__ */ inConsole(getWebhookRedelivery, 'viewer');
