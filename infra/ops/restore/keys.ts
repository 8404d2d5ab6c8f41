import { numberOf } from '../../../lib/activity/entry.ts';
import { historyOf } from '../../../lib/activity/list.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { accessOf, KeyRecordError } from '../../../lib/keys/access.ts';
import { keyItem, keyOf, secretAttributes } from '../../../lib/keys/items.ts';
import type { Key } from '../../../lib/keys/key.ts';
import type { Item, Plan, Restoration, Restorer } from './restoration.ts';
import { planUnlessThere, putInPlaceOf, unchanged } from './restoration.ts';

/**
 * Brings back lost keys, and lost secrets of existing keys. An existing key stays as it is, and a lost one becomes what its last
 * recorded change has made of it: a restore never gives a key more access than it had last.
 */
export class KeysRestorer implements Restorer {
  /** A secret comes back with its key, which decides whether it may. */
  readonly early = ['key'];
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
    if (kind === 'suspension') return planUnlessThere(this.restoration.job.to, restored, living);
    if (kind === 'secret') return this.planSecret(restored, living);
    return this.planKey(restored, living).catch((error) => {
      if (error instanceof KeyRecordError) return { stays: error.message };
      throw error;
    });
  }

  async finish(): Promise<void> {}

  private async planKey(restored: Item, living: Item | undefined): Promise<Plan> {
    const { to } = this.restoration.job;
    const backedUp = keyOf(restored);
    const before = living ? backedUp : asRecorded(backedUp, await historyOf(backedUp.accountId, backedUp.id));
    const hashes = before.secrets.map(({ hash }) => ({ pk: hash }));
    const found = await readMany(to, hashes);
    const key = living ? keyOf(living) : restrictedBy(before, found);
    const known = new Set(found.map(({ pk }) => pk));
    // For an existing key, only the secrets that it still names: the others have ended since then.
    const lost = key.secrets.filter(({ hash }) => !known.has(hash) && hashes.some(({ pk }) => pk === hash));
    if (living && lost.length === 0)
      return JSON.stringify(keyOf(restored)) === JSON.stringify(key) ? 'same' : 'kept';
    return {
      actions: [
        living
          ? { ConditionCheck: { TableName: to, Key: { pk: key.id }, ...unchanged(living, ['revision']) } }
          : putInPlaceOf(to, undefined, keyItem(key)),
        ...lost.map((secret) =>
          putInPlaceOf(to, undefined, { pk: secret.hash, ...secretAttributes(key, secret) }),
        ),
      ],
    };
  }

  private async planSecret(restored: Item, living: Item | undefined): Promise<Plan> {
    if (living) return 'same';
    const Key = { pk: restored.key_id as string };
    const outcome = await this.restoration.ensure(Key);
    if (this.restoration.job.dryRun) return outcome;
    const isBack = await this.restoration.living({ pk: restored.pk as string });
    return isBack ? 'brought_back' : 'passed_over';
  }
}

/**
 * A lost key as its last recorded change has left it. Of secrets the Activity table has only the last characters, so a rotation since the
 * backup ends those of the backup: the new one is lost, and how long the others may still have worked is not known.
 * @param history newest first
 */
function asRecorded(key: Key, history: readonly ActivityEntry[]): Key {
  const since = history.filter((entry) => numberOf(entry) > key.revision);
  const state = since[0]?.after;
  if (!state) return key;
  const { expiresAt: _, ...rest } = key;
  const revokedAt = since.find(({ action }) => action === 'key.revoked')?.at;
  const newest = key.secrets[0]?.hint;
  const rotatedAt = since.findLast(({ after }) => after && after.hints[0] !== newest)?.at;
  return {
    ...rest,
    name: state.name,
    access: accessOf(state.scopes),
    ...(state.expires_at ? { expiresAt: state.expires_at } : {}),
    ...(revokedAt ? { revokedAt } : {}),
    secrets: key.secrets.map((secret) =>
      rotatedAt && (secret.expiresAt ?? rotatedAt) >= rotatedAt
        ? { ...secret, expiresAt: rotatedAt }
        : secret,
    ),
    revision: numberOf(since[0] as ActivityEntry),
  };
}

/** A lost key, restricted by what its living secrets say: a revocation or an earlier end stays. */
function restrictedBy(key: Key, secrets: readonly Item[]): Key {
  const earliest = (name: string, own: string | undefined): string | undefined =>
    [own, ...secrets.map((secret) => secret[name] as string | undefined)]
      .filter((time) => time !== undefined)
      .sort()[0];
  const revokedAt = earliest('revoked_at', key.revokedAt);
  const expiresAt = earliest('expires_at', key.expiresAt);
  return { ...key, ...(revokedAt && { revokedAt }), ...(expiresAt && { expiresAt }) };
}
