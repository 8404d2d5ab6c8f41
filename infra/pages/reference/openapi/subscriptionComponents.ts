import { exampleType } from '../../../../lib/contract/eventTypes.ts';
import {
  testedType,
  testResult,
  webhookDelivery,
  webhookDeliveryWithBody,
  webhookTest,
} from '../../../../lib/contract/webhookDeliveries.ts';
import { redeliveryRequest, webhookRedelivery } from '../../../../lib/contract/webhookRedeliveries.ts';
import {
  secretRotation,
  subscriptionDraft,
  subscriptionPatch,
  subscriptionWithSecret,
  webhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { bodyExamples } from '../prose/bodies.ts';
import * as webhooks from '../prose/webhooks.ts';
import { type Components, input, output } from './componentSchema.ts';

const constantOf = (word: string): string => word.replaceAll('.', '_').toUpperCase();

/** The components of subscriptions, their deliveries and tests. */
export const subscriptionComponents: Components = {
  WebhookSubscription: output(
    webhookSubscription,
    'A receiver, and the types of events that it gets.',
    webhooks.subscriptionNotes,
  ),
  WebhookSubscriptionWithSecret: output(
    subscriptionWithSecret,
    'A subscription with its secret, which is not shown again.',
    webhooks.subscriptionNotes,
  ),
  WebhookHealth: output(
    () => webhookSubscription().shape.health,
    'The results of the latest attempts of a subscription.',
    webhooks.healthNotes,
  ),
  WebhookSubscriptionDraft: input(subscriptionDraft, 'A new subscription.', webhooks.subscriptionDraftNotes, {
    example: bodyExamples.createWebhookSubscription,
  }),
  WebhookSubscriptionPatch: input(
    subscriptionPatch,
    'Changes of a subscription (RFC 7396): a field that is left out stays as it is.',
    webhooks.subscriptionPatchNotes,
    { example: bodyExamples.updateWebhookSubscription },
  ),
  // Closed sets of words have a name. Otherwise, generators would invent a name for each use.
  WebhookEventTypeInput: input(
    () => subscriptionPatch().shape.event_types.unwrap().element,
    'A type of events, or a name with * for several types, also for types that will be added.',
    {},
    { example: 'contact.*' },
  ),
  WebhookFieldInput: input(
    () => subscriptionPatch().shape.changed_fields.unwrap().unwrap().element,
    'A field of records.',
    {},
    { example: 'email' },
  ),
  WebhookPayloadInput: input(
    () => subscriptionPatch().shape.payload.unwrap(),
    'Whether events hold the whole resource or only its id.',
    {},
    { example: 'full' },
  ),
  WebhookStatusInput: input(
    () => subscriptionPatch().shape.status.unwrap(),
    'The status that a client may set for a subscription.',
    {},
    { example: 'active' },
  ),
  WebhookTestTypeInput: input(
    testedType,
    'A type of events that a test can send.',
    {},
    {
      example: exampleType,
      // Go clients put the words of all sets into one package, and most of these words are also types to subscribe to.
      demands: { 'x-enum-varnames': testedType().options.map((type) => `TEST_${constantOf(type)}`) },
    },
  ),
  SecretRotation: input(
    secretRotation,
    'The options of a rotation of a secret.',
    webhooks.secretRotationNotes,
  ),
  WebhookDelivery: output(
    webhookDelivery,
    'The delivery of an event to a receiver, with its attempts.',
    webhooks.deliveryNotes,
  ),
  WebhookDeliveryWithBody: output(
    webhookDeliveryWithBody,
    'A delivery with the text that was sent.',
    webhooks.deliveryWithBodyNotes,
  ),
  WebhookDeliveryResource: output(
    () => webhookDelivery().shape.resource,
    'The record or the webhook subscription that an event is about.',
    webhooks.deliveryResourceNotes,
  ),
  WebhookAttempt: output(
    () => webhookDelivery().shape.attempts.element,
    'One request to a receiver.',
    webhooks.attemptNotes,
  ),
  WebhookTest: input(webhookTest, 'The options of a test.', webhooks.testNotes),
  WebhookRedeliveryRequest: input(
    redeliveryRequest,
    'The deliveries of which the events are sent again.',
    webhooks.redeliveryRequestNotes,
    { example: bodyExamples.redeliverWebhooks },
  ),
  WebhookRedeliveryStatusInput: input(
    () => webhookRedelivery().shape.status_filter,
    'Which deliveries are sent again: failed, waiting, or all that ended.',
    {},
    { example: 'failed' },
  ),
  WebhookRedelivery: output(
    webhookRedelivery,
    'A bulk redelivery, and its progress.',
    webhooks.redeliveryNotes,
  ),
  WebhookRedeliveryLeftOut: output(
    () => webhookRedelivery().shape.left_out,
    'How many deliveries a redelivery leaves out, and why.',
    webhooks.leftOutNotes,
  ),
  WebhookTestResult: output(testResult, 'The outcome of a test.', webhooks.testResultNotes),
};
