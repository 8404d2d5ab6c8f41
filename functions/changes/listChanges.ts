import { listChanges } from '../../lib/contract/changes.ts';
import { listFeed } from '../../lib/feed/listFeed.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint(listChanges, ({ account, query, access, keyId }) =>
  listFeed(account, query, { access, keyId }),
);
