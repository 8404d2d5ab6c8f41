import { createContact, getContact, listContacts, updateContact } from './contacts.ts';
import { getEventRegistration, listEventRegistrations } from './eventRegistrations.ts';
import { getMe } from './me.ts';
import type { Operation } from './operation.ts';
import { getOrder, listOrders } from './orders.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookSubscription,
} from './webhookDeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookSecret,
  updateWebhookSubscription,
} from './webhookSubscriptions.ts';

/** Every operation of the API, in the order in which the reference shows them. */
export const operations = [
  listContacts,
  createContact,
  getContact,
  updateContact,
  listOrders,
  getOrder,
  listEventRegistrations,
  getEventRegistration,
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
  getMe,
] as const satisfies readonly Operation[];

export type OperationId = (typeof operations)[number]['id'];

/** The file of an operation's Lambda, below the root of the project. */
export const fileOf = ({ id, path }: Operation): string => `functions/${path.split('/')[1]}/${id}.ts`;
