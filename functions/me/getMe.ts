import { getMe } from '../../lib/contract/me.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { describeKey } from '../../lib/keys/keyHistory.ts';

export const handler = endpoint(getMe, ({ apiKey }) => describeKey(apiKey));
