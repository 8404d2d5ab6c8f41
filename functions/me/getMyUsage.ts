import { getMyUsage } from '../../lib/contract/me.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { usageOfKey } from '../../lib/usage/usage.ts';

export const handler = endpoint(getMyUsage, ({ account, keyId, query }) => usageOfKey(account, keyId, query));
