import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { deliverMessages } from '../../lib/webhooks/deliverMessages.ts';

/** Delivery messages → attempts. SQS sends a message again only after an internal error. */
export const handler = batchHandler('deliverWebhook', 0, deliverMessages);
