import type * as z from 'zod';
import { documents } from '../resources/documents.ts';
import type { ResourceType } from '../resources/index.ts';
import type { BaseOperation } from '../resources/operation.ts';
import { listOf } from '../schemas/lists.ts';
import { changeList } from './changes.ts';
import { activityPage } from './console/activity.ts';
import { consoleKey, keyWithHistory, keyWithSecret } from './console/consoleKeys.ts';
import { session } from './console/consoleSession.ts';
import { failedRequestsPage, failureGroups, usageReport } from './console/consoleUsage.ts';
import { consoleSubscription, foundDeliveries } from './console/consoleWebhooks.ts';
import { me, myUsage } from './me.ts';
import { testResult, webhookDelivery, webhookDeliveryWithBody } from './webhookDeliveries.ts';
import { webhookRedelivery } from './webhookRedeliveries.ts';
import { subscriptionWithSecret, webhookSubscription } from './webhookSubscriptions.ts';

type RecordResponses = (typeof documents)[ResourceType]['responses'];
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;
const recordResponses: All<RecordResponses> = Object.assign(
  {},
  ...Object.values(documents).map((document): RecordResponses => document.responses),
);

const webhookResponses = {
  listWebhookSubscriptions: /* @__PURE__ */ listOf(webhookSubscription),
  createWebhookSubscription: subscriptionWithSecret,
  getWebhookSubscription: webhookSubscription,
  updateWebhookSubscription: webhookSubscription,
  rotateWebhookSecret: subscriptionWithSecret,
  testWebhookSubscription: testResult,
  listWebhookDeliveries: /* @__PURE__ */ listOf(webhookDelivery),
  getWebhookDelivery: webhookDeliveryWithBody,
  redeliverWebhook: webhookDelivery,
  redeliverWebhooks: webhookRedelivery,
  getWebhookRedelivery: webhookRedelivery,
};
type WebhookResponses = typeof webhookResponses;

/**
 * The body of each operation's successful response, by the operation's id. Only the OpenAPI document and the tests use these schemas; Lambdas
 * use only their types, so a bundle that reads a record by its id needs no zod.
 */
export const responses = {
  ...recordResponses,
  ...webhookResponses,
  listChanges: changeList,
  getMe: me,
  getMyUsage: myUsage,
};

/** The same for the operations of the Integrations page. */
export const consoleResponses = {
  ...(Object.fromEntries(
    Object.entries(webhookResponses).map(([id, body]) => [
      `console${id.charAt(0).toUpperCase()}${id.slice(1)}`,
      body,
    ]),
  ) as unknown as { [Id in keyof WebhookResponses as `console${Capitalize<Id>}`]: WebhookResponses[Id] }),
  consoleListWebhookSubscriptions: /* @__PURE__ */ listOf(consoleSubscription),
  consoleGetWebhookSubscription: consoleSubscription,
  findWebhookDeliveries: foundDeliveries,
  endOldSecrets: consoleKey,
  startSession: session,
  getSession: session,
  listKeys: /* @__PURE__ */ listOf(consoleKey),
  createKey: keyWithSecret,
  getKey: keyWithHistory,
  updateKey: consoleKey,
  rotateKey: keyWithSecret,
  revokeKey: consoleKey,
  listActivity: activityPage,
  getUsage: usageReport,
  listFailedRequests: failedRequestsPage,
  groupFailedRequests: failureGroups,
};

type Responses = typeof responses & typeof consoleResponses;

/** The body of an operation's successful response; `undefined` if it has none. */
export type ResponseBody<O extends BaseOperation> = O['id'] extends keyof Responses
  ? z.output<ReturnType<Responses[O['id']]>>
  : string extends O['id']
    ? unknown
    : undefined;

/** The schema of the body of an operation's successful response; `undefined` if it has none. */
export const responseOf = ({ id }: BaseOperation): (() => z.ZodType) | undefined =>
  ({ ...responses, ...consoleResponses })[id as keyof Responses];
