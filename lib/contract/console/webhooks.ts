import type { Operation } from '../../resources/operation.ts';
import * as deliveries from '../webhookDeliveries.ts';
import * as redeliveries from '../webhookRedeliveries.ts';
import * as subscriptions from '../webhookSubscriptions.ts';
import type { Role } from './operation.ts';

/** The same operation in the console: the same input and answer, behind a session and not behind a key. */
type InConsole<O extends Operation, R extends Role> = Omit<O, 'id' | 'path' | 'scope' | 'namesOwner'> & {
  id: `console${Capitalize<O['id']>}`;
  path: `/api${O['path']}`;
  role: R;
};

/** Location and Link are left out: their URLs are those of the public API. */
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

export const consoleListWebhookSubscriptions = /* @__PURE__ */ inConsole(
  subscriptions.listWebhookSubscriptions,
  'viewer',
);
export const consoleCreateWebhookSubscription = /* @__PURE__ */ inConsole(
  subscriptions.createWebhookSubscription,
  'admin',
);
export const consoleGetWebhookSubscription = /* @__PURE__ */ inConsole(
  subscriptions.getWebhookSubscription,
  'viewer',
);
export const consoleUpdateWebhookSubscription = /* @__PURE__ */ inConsole(
  subscriptions.updateWebhookSubscription,
  'admin',
);
export const consoleDeleteWebhookSubscription = /* @__PURE__ */ inConsole(
  subscriptions.deleteWebhookSubscription,
  'admin',
);
export const consoleRotateWebhookSecret = /* @__PURE__ */ inConsole(
  subscriptions.rotateWebhookSecret,
  'admin',
);
export const consoleTestWebhookSubscription = /* @__PURE__ */ inConsole(
  deliveries.testWebhookSubscription,
  'admin',
);
export const consoleListWebhookDeliveries = /* @__PURE__ */ inConsole(
  deliveries.listWebhookDeliveries,
  'viewer',
);
export const consoleGetWebhookDelivery = /* @__PURE__ */ inConsole(deliveries.getWebhookDelivery, 'viewer');
export const consoleRedeliverWebhook = /* @__PURE__ */ inConsole(deliveries.redeliverWebhook, 'admin');
export const consoleRedeliverWebhooks = /* @__PURE__ */ inConsole(redeliveries.redeliverWebhooks, 'admin');
export const consoleGetWebhookRedelivery = /* @__PURE__ */ inConsole(
  redeliveries.getWebhookRedelivery,
  'viewer',
);
