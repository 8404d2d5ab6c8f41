import { ofAll, words } from '../../resources/index.ts';

/** The ids of all operations, in their order. A Lambda that only names operations needs no other file of the contract. */
export const operationIds = /* @__PURE__ */ ofAll(
  ({ operations }) => operations,
  'listChanges',
  'listWebhookSubscriptions',
  'createWebhookSubscription',
  'getWebhookSubscription',
  'updateWebhookSubscription',
  'deleteWebhookSubscription',
  'rotateWebhookSecret',
  'testWebhookSubscription',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'redeliverWebhook',
  'redeliverWebhooks',
  'getWebhookRedelivery',
  'getMe',
  'getMyUsage',
);

/** Counts requests whose route is unknown to this release. */
export const otherOperation = 'other';

/** Every name under which requests are counted: the operations, and `other`. */
export const countedOperations = /* @__PURE__ */ words(operationIds, [otherOperation]);
