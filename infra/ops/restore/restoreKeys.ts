import { numberOf } from '../../../lib/activity/activityEntry.ts';
import { historyOf } from '../../../lib/activity/listActivity.ts';
import type { Item } from '../../../lib/dynamodb/item.ts';
import { keys } from '../../../lib/dynamodb/tables.ts';
import { KeyRecordError } from '../../../lib/keys/access.ts';

import { keyItem, secretAttributes, toKey } from '../../../lib/keys/storedKeys.ts';
import { type Plan, planUnlessThere, type Restorer, unchanged } from './restoration.ts';

/**
 * Brings back lost keys with their secrets. Existing keys stay as they are, and lost keys that were changed since stay lost, because a restore
 * must never give a key more access than it had last.
 */
export const keysRestorer: Restorer = {
  kindOf: ({ pk }) => {
    if (String(pk).startsWith('key_')) return 'key';
    if (String(pk).startsWith('account#')) return 'suspension';
    // A secret comes back with its key, which decides whether it may.
    return undefined;
  },
  plan: async (kind, restored, living) => {
    if (kind === 'suspension') return planUnlessThere(keys, restored, living);
    return planKey(restored, living).catch((error) => {
      if (error instanceof KeyRecordError) return { stays: error.message };
      throw error;
    });
  },
};

async function planKey(restored: Item, living: Item | undefined): Promise<Plan> {
  const key = toKey(restored);
  if (living) return key.revision === toKey(living).revision ? 'same' : 'kept';
  const [last] = await historyOf(key.accountId, key.id);
  if (last && numberOf(last) > key.revision)
    return { stays: 'the key was changed since the backup, and that is lost; issue another one' };
  return {
    actions: [
      keys.put(keyItem(key), { if: unchanged(undefined) }),
      ...key.secrets.map((secret) => keys.put({ pk: secret.hash, ...secretAttributes(key, secret) })),
    ],
  };
}
