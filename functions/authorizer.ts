import { authorize } from '../lib/http/authorizer.ts';

/** X-Api-Key → the account and what the key may do. API Gateway asks it once per key and cache time. */
export const handler = (event: Parameters<typeof authorize>[0]) => authorize(event);
