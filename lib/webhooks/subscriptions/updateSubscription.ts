import { isDeepStrictEqual } from 'node:util';
import type { SubscriptionPatch, WebhookSubscription } from '../../contract/webhookSubscriptions.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { stoppedByOperator } from '../../errors/apiError.ts';
import type { Access } from '../../keys/access.ts';
import { byKey } from '../../records/recordOrigin.ts';
import { assertMayRead } from '../model/payload.ts';
import { recordedChange } from '../model/recordedChange.ts';
import {
  afterStop,
  type ChangeAuthor,
  changedBy,
  isStopped,
  type Subscription,
  type SubscriptionChanges,
  shownSubscription,
} from '../model/subscription.ts';
import { announce, changeSubscription, readSubscription } from '../model/subscriptions.ts';
import { resumeSending } from '../queue/messages.ts';
import { whileNotStopped } from '../receivers/blockedHosts.ts';
import { changesIn, freeUrl, keyOfUrl, receiverHost, takeUrl } from './actions.ts';
import { assertCanChange, assertReachable, stoppedHost, urlTaken } from './settings.ts';

/**
 * Changes a subscription. If it becomes active again, held deliveries are sent.
 * @param ifMatch throws if the version is not the one that the client wants to change
 * @throws ApiError 400 if the URL is not allowed or another subscription has it, or a field in `changed_fields` belongs to no subscribed
 *   resource, 403 if the key may not read what would be sent, or the change would resume a subscription that the operator has stopped, 404 if
 *   the account has no such subscription
 */
export async function updateSubscription(
  account: string,
  id: string,
  patch: SubscriptionPatch,
  { by, deadline, ifMatch }: { by: ChangeAuthor; deadline: number; ifMatch: (version: number) => void },
): Promise<WebhookSubscription> {
  let reachable: Promise<void> | undefined;
  return untilCommitted(deadline, async () => {
    const current = await readSubscription(account, id);
    ifMatch(current.version);
    const ended = endOfBlock(current, patch);
    const changes = { ...ended, ...changesOf({ ...current, ...ended }, patch) };
    if (Object.keys(changes).length === 0) return shownSubscription(current);
    if (changes.status !== undefined && isStopped({ ...current, ...ended })) throw stoppedByOperator();
    assertMayDirect(by.access, current, changes);
    if ('event_types' in changes || 'changed_fields' in changes) assertCanChange({ ...current, ...changes });
    if (changes.url !== undefined) {
      reachable ??= assertReachable(account, changes.url);
      await reachable;
    }
    const { next, action } = changeSubscription(account, current, {
      ...changes,
      ...changedBy(current, by.keyId),
    });
    const names = Object.keys(patch).filter((name) => name in changes);
    const origin = by.keyId === null ? null : byKey(by.keyId);
    const becomesActive = next.status === 'active' && current.status !== 'active';
    const { refused } = await transact([
      action,
      ...(changes.url === undefined ? [] : [whileNotStopped(account, next.host)]),
      ...(becomesActive && current.status === 'suspended'
        ? [announce(account, 'subscription.resumed', current, next, origin)]
        : []),
      ...moveUrl(account, id, current.url, next.url),
      ...recordedChange(account, actionOf(names, next), next, by.who, changesIn(names, current, next)),
    ]);
    if (!refused) {
      if (becomesActive) await resumeSending(account, id);
      return shownSubscription(next);
    }
    if (changes.url !== undefined && refused[1]?.kind === 'refused') throw stoppedHost();
    // If the version was not refused, the URL was.
    const other = refused.find((verdict) => verdict.kind === 'refused');
    if (refused[0]?.kind === 'fine' && other) throw urlTaken(other);
    return undefined;
  });
}

/** Returns the activity's name for the change of some fields. */
function actionOf(names: readonly string[], { status }: Subscription) {
  if (names.join() !== 'status') return 'subscription.changed';
  return status === 'paused' ? 'subscription.paused' : 'subscription.resumed';
}

const unknownSpeed = { speed: undefined, speed_attempts: undefined, speed_contradictions: undefined };

function changesOf(
  current: Pick<Subscription, keyof SubscriptionPatch>,
  patch: SubscriptionPatch,
): SubscriptionChanges {
  const changed = Object.fromEntries(
    Object.entries(patch).filter(
      ([name, value]) => !isDeepStrictEqual(value, current[name as keyof SubscriptionPatch] ?? null),
    ),
  ) as SubscriptionPatch;
  // The failures of the old receiver, or of a repaired one, no longer count.
  const resetsFailures = changed.url !== undefined || changed.status === 'active';
  return {
    ...changed,
    ...(changed.status === undefined ? {} : { status_reason: changed.status === 'paused' ? 'manual' : null }),
    ...(changed.url === undefined ? {} : { host: receiverHost(changed.url) }),
    ...(resetsFailures
      ? { receiver: { failing_since: undefined, ...(changed.url === undefined ? {} : unknownSpeed) } }
      : {}),
  } as SubscriptionChanges;
}

/** Reserves the new URL of a subscription and frees the old one, unless only the spelling changes. */
const moveUrl = (account: string, id: string, from: string, to: string): Action[] =>
  isDeepStrictEqual(keyOfUrl(account, from), keyOfUrl(account, to))
    ? []
    : [takeUrl(account, to, id), freeUrl(account, from)];

/** A block applies to the host, so it ends for a subscription that gets another host. */
function endOfBlock(
  { host, status_reason, before_stop }: Subscription,
  { url }: SubscriptionPatch,
): SubscriptionChanges {
  const isMoved = url !== undefined && receiverHost(url) !== host;
  return isMoved && status_reason === 'blocked' ? afterStop(before_stop) : {};
}

/**
 * Checks that a key that may not read a full payload does not change where it is sent, or which event types it covers.
 * @throws ApiError 403
 */
function assertMayDirect(access: Access, current: Subscription, changes: SubscriptionChanges): void {
  const { payload, event_types } = { ...current, ...changes };
  const directs = 'url' in changes || 'event_types' in changes || 'payload' in changes;
  if (payload === 'full' && directs) assertMayRead(access, event_types);
}
