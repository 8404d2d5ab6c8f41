import { bodyExamples } from '../reference/bodies.ts';
import * as webhooks from '../reference/webhooks.ts';
import { testWebhookSubscription, webhookDelivery } from '../webhookDeliveries.ts';
import {
  createWebhookSubscription,
  secretRotation,
  subscriptionDraft,
  subscriptionPatch,
  webhookSubscription,
} from '../webhookSubscriptions.ts';
import { type Components, input, output } from './component.ts';

/** What subscriptions, their deliveries and tests are made of. */
export const subscriptionComponents: Components = {
  WebhookSubscription: output(
    webhookSubscription,
    'What a receiver wants to be told of.',
    webhooks.subscriptionNotes,
  ),
  WebhookSubscriptionWithSecret: output(
    createWebhookSubscription.success.body,
    'A subscription with its secret, which is not shown again.',
    webhooks.subscriptionNotes,
  ),
  WebhookHealth: output(
    () => webhookSubscription().shape.health,
    'How the latest attempts of a subscription went.',
    webhooks.healthNotes,
  ),
  WebhookSubscriptionDraft: input(subscriptionDraft, 'A new subscription.', webhooks.subscriptionDraftNotes, {
    example: bodyExamples.createWebhookSubscription,
  }),
  WebhookSubscriptionPatch: input(
    subscriptionPatch,
    'Changes of a subscription (RFC 7396): what is left out stays.',
    webhooks.subscriptionPatchNotes,
    { example: bodyExamples.updateWebhookSubscription },
  ),
  // Closed sets of words have a name: generators would make one up for each place where one stands.
  WebhookEventTypeInput: input(
    () => subscriptionPatch().shape.event_types.unwrap().element,
    'A type of events, or a name for several: with * also for those to come.',
    {},
    { example: 'contact.*' },
  ),
  WebhookPayloadInput: input(
    () => subscriptionPatch().shape.payload.unwrap(),
    'How much of a resource events hold: all of it, or its id.',
    {},
    { example: 'full' },
  ),
  WebhookStatusInput: input(
    () => subscriptionPatch().shape.status.unwrap(),
    'What a client may set a subscription to.',
    {},
    { example: 'active' },
  ),
  SecretRotation: input(secretRotation, 'How a secret is replaced.', webhooks.secretRotationNotes),
  WebhookDelivery: output(
    webhookDelivery,
    'An event on its way to a receiver, and what came of every attempt.',
    webhooks.deliveryNotes,
  ),
  WebhookAttempt: output(
    () => webhookDelivery().shape.attempts.element,
    'One request to a receiver.',
    webhooks.attemptNotes,
  ),
  WebhookTestResult: output(
    testWebhookSubscription.success.body,
    'What came of a test.',
    webhooks.testResultNotes,
  ),
};
