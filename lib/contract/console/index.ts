import { listActivity } from './activity.ts';
import {
  createKey,
  endOldSecrets,
  getKey,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from './consoleKeys.ts';
import type { ConsoleOperation } from './consoleOperation.ts';
import { endSession, getSession, startSession } from './consoleSession.ts';
import { getUsage, groupFailedRequests, listFailedRequests } from './consoleUsage.ts';
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
  findWebhookDeliveries,
} from './consoleWebhooks.ts';

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
  endOldSecrets,
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
  findWebhookDeliveries,
] as const satisfies readonly ConsoleOperation[];

export type AnyConsoleOperation = (typeof consoleOperations)[number];

export type ConsoleOperationId = AnyConsoleOperation['id'];

/**
 * Returns the function that serves an operation. One function serves nearly all of them, so the next click finds it warm. A test of a receiver
 * has its own function, because it waits for the receiver.
 */
export const consoleFunctionOf = ({ id, timeoutSeconds }: ConsoleOperation): ConsoleFunctionId =>
  timeoutSeconds === undefined ? 'consoleApi' : (id as ConsoleFunctionId);

export type ConsoleFunctionId = 'consoleApi' | typeof consoleTestWebhookSubscription.id;
