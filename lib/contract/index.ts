import { recordOperations } from '../resources/documents.ts';
import type { Operation } from '../resources/operation.ts';
import { listChanges } from './changes.ts';
import type { operationIds } from './console/countedOperations.ts';
import { getMe, getMyUsage } from './me.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookSubscription,
} from './webhookDeliveries.ts';
import { getWebhookRedelivery, redeliverWebhooks } from './webhookRedeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from './webhookSubscriptions.ts';

/** Every operation of the API, in the order of the reference. A handler imports its own operation instead, so that its bundle contains no other. */
export const operations = [
  ...recordOperations,
  listChanges,
  listWebhookSubscriptions,
  createWebhookSubscription,
  getWebhookSubscription,
  updateWebhookSubscription,
  deleteWebhookSubscription,
  rotateWebhookSecret,
  testWebhookSubscription,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  redeliverWebhooks,
  getWebhookRedelivery,
  getMe,
  getMyUsage,
] as const satisfies readonly (Operation & { id: (typeof operationIds)[number] })[];

export type AnyOperation = (typeof operations)[number];

export type OperationId = AnyOperation['id'];

export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

export type QueryOperationId = Extract<AnyOperation, { query: unknown }>['id'];

export type BodyOperationId = Extract<AnyOperation, { body: unknown }>['id'];

/** Returns the file of an operation's Lambda, relative to the root of the project. */
export const fileOf = ({ id, path }: Operation): string => `functions/${path.split('/')[1]}/${id}.ts`;
