import { listActivity } from './activity.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from './keys.ts';
import type { ConsoleOperation } from './operation.ts';
import { endSession, getSession, startSession } from './session.ts';
import { getUsage, groupFailedRequests, listFailedRequests } from './usage.ts';
import {
  consoleCreateWebhookSubscription,
  consoleDeleteWebhookSubscription,
  consoleGetWebhookDelivery,
  consoleGetWebhookRedelivery,
  consoleGetWebhookSubscription,
  consoleListWebhookDeliveries,
  consoleListWebhookSubscriptions,
  consoleRedeliverWebhook,
  consoleRedeliverWebhooks,
  consoleRotateWebhookSecret,
  consoleTestWebhookSubscription,
  consoleUpdateWebhookSubscription,
} from './webhooks.ts';

/** Every operation of the console's API. A handler imports its own operation instead. */
export const consoleOperations = [
  startSession,
  getSession,
  endSession,
  listKeys,
  createKey,
  getKey,
  updateKey,
  rotateKey,
  revokeKey,
  listActivity,
  getUsage,
  listFailedRequests,
  groupFailedRequests,
  consoleListWebhookSubscriptions,
  consoleCreateWebhookSubscription,
  consoleGetWebhookSubscription,
  consoleUpdateWebhookSubscription,
  consoleDeleteWebhookSubscription,
  consoleRotateWebhookSecret,
  consoleTestWebhookSubscription,
  consoleListWebhookDeliveries,
  consoleGetWebhookDelivery,
  consoleRedeliverWebhook,
  consoleRedeliverWebhooks,
  consoleGetWebhookRedelivery,
] as const satisfies readonly ConsoleOperation[];

export type AnyConsoleOperation = (typeof consoleOperations)[number];

export type ConsoleOperationId = AnyConsoleOperation['id'];

/** The file of an operation's Lambda, below the root of the project. */
export const consoleFileOf = ({ id, path }: ConsoleOperation): string =>
  `functions/console/${path.split('/')[2]}/${id}.ts`;
