import { numberOf } from '../../../lib/activity/entry.ts';
import { historyOf } from '../../../lib/activity/list.ts';
import { readItems } from '../../../lib/dynamodb/tableHandle.ts';
import { keys } from '../../../lib/dynamodb/tables.ts';
import { KeyRecordError } from '../../../lib/keys/access.ts';
import { keyItem, keyOf, secretAttributes } from '../../../lib/keys/items.ts';
import {
  type Item,
  type Plan,
  planUnlessThere,
  type Restoration,
  type Restorer,
  unchanged,
} from './restoration.ts';

/**
 * Brings back lost keys, and lost secrets of existing keys. An existing key stays as it is, and a lost one that was changed since
 * stays lost: a restore never gives a key more access than it had last.
 */
export class KeysRestorer implements Restorer {
  /** A secret comes back with its key, which decides whether it may. */
  readonly early = 'key';
  private readonly restoration: Restoration;

  constructor(restoration: Restoration) {
    this.restoration = restoration;
  }

  kindOf({ pk, key_id }: Item): string | undefined {
    if (String(pk).startsWith('key_')) return 'key';
    if (String(pk).startsWith('account#')) return 'suspension';
    return /^[0-9a-f]{64}$/.test(String(pk)) && key_id !== undefined ? 'secret' : undefined;
  }

  async plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan> {
    if (kind === 'suspension') return planUnlessThere(keys, restored, living);
    if (kind === 'key')
      return planKey(restored, living).catch((error) => {
        if (error instanceof KeyRecordError) return { stays: error.message };
        throw error;
      });
    if (living) return 'same';
    await this.restoration.ensure({ pk: restored.key_id as string });
    return 'passed_over';
  }
}

async function planKey(restored: Item, living: Item | undefined): Promise<Plan> {
  const before = keyOf(restored);
  const [last] = living ? [] : await historyOf(before.accountId, before.id);
  if (last && numberOf(last) > before.revision)
    return { stays: 'the key was changed since the backup, and that is lost; issue another one' };
  const key = living ? keyOf(living) : before;
  // For an existing key, only the secrets that it still names: the others have ended since then.
  const named = key.secrets.filter(({ hash }) => before.secrets.some((one) => one.hash === hash));
  const found = await readItems(
    keys,
    named.map(({ hash }) => ({ pk: hash })),
  );
  const lost = named.filter(({ hash }) => !found.some(({ pk }) => pk === hash));
  if (living && lost.length === 0) return JSON.stringify(before) === JSON.stringify(key) ? 'same' : 'kept';
  return {
    actions: [
      living
        ? keys.check({ pk: key.id }, unchanged(living, ['revision']))
        : keys.put(keyItem(key), { if: unchanged(undefined) }),
      ...lost.map((secret) =>
        keys.put({ pk: secret.hash, ...secretAttributes(key, secret) }, { if: unchanged(undefined) }),
      ),
    ],
  };
}
