import { ofAll, words } from '../../resources/index.ts';

/** The ids of all operations, in their order. A Lambda that only names operations imports no other file of the contract for it. */
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

/** The operation under which requests are counted whose route this release does not have. */
export const otherOperation = 'other';

/** All words by which requests are counted as those of an operation. */
export const countedOperations = /* @__PURE__ */ words(operationIds, [otherOperation]);
