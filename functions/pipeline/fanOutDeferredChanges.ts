import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { fanOutDeferred } from '../../lib/webhooks/events/fanOut.ts';

/** Turns deferred changes into events, with a delivery for every subscription. */
export const handler = batchHandler('fanOutDeferredChanges', 0, fanOutDeferred);
