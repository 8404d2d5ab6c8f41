import type { Operation } from '../../resources/operation.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookSubscription,
} from '../webhookDeliveries.ts';
import { getWebhookRedelivery, redeliverWebhooks } from '../webhookRedeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from '../webhookSubscriptions.ts';
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
