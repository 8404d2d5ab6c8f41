import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { indexDeferred } from '../../lib/filterIndex/indexChanges.ts';

const reserveMs = 5_000;

/** Updates the index of filters after deferred changes. */
export const handler = batchHandler('indexDeferredChanges', reserveMs, indexDeferred);
