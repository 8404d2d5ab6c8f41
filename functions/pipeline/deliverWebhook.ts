import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { deliverMessages } from '../../lib/webhooks/deliverMessages.ts';

/** Makes the attempts that delivery messages announce. SQS repeats a message only after an internal error. */
export const handler = batchHandler('deliverWebhook', 0, deliverMessages);
