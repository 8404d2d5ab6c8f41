import { listFeed } from '../../lib/changes/list.ts';
import { listChanges } from '../../lib/contract/changes.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint(listChanges, ({ account, query, access, keyId }) =>
  listFeed(account, query, { access, keyId }),
);
