import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { indexDeferred } from '../../lib/lists/indexChanges.ts';

const reserveMs = 5_000;

/** Deferred changes → the index of filters. */
export const handler = batchHandler('indexDeferredChanges', reserveMs, indexDeferred);
