import { authorize } from '../lib/http/authorizer.ts';

/** Maps X-Api-Key to the account and the access of the key. API Gateway calls it once for each key and cache period. */
export const handler = (event: Parameters<typeof authorize>[0]) => authorize(event);
