import type { ActivityAction, ActivityEntry } from '../contract/console/activity.ts';
import type { Actor } from '../contract/console/consoleSession.ts';
import { absent } from '../dynamodb/expressions.ts';
import { activity } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { authorOf, type Who } from './author.ts';

/** The part of a key that an entry stores. It never contains a secret or a hash. */
export type KeyState = NonNullable<ActivityEntry['after']>;

export interface ActivityEvent {
  action: ActivityAction;
  at: Date;
  /** The id of a key or a session, or a part of a link's hash. */
  subject: string;
  /** Numbers the entries of a subject, each number once. */
  number: number;
  person?: Actor;
  key?: { id: string; before?: KeyState; after: KeyState };
  /** The webhook subscription and the changes to it. */
  subscription?: { id: string; name: string; changes: ActivityEntry['changes'] };
}

/** An entry as it is stored. Unknown values have no attribute. */
export interface ActivityItem extends Omit<Partial<ActivityEntry>, 'id' | 'at'> {
  pk: string;
  sk: string;
  action: ActivityAction;
  author: ActivityEntry['author'];
  ttl: number;
}

const dayMs = 24 * 3_600_000;

export const activityKeptMs = (): number => Number(required(env.activityDays)) * dayMs;

/** Returns the action that records an event. Put it into the transaction of the change, so that neither exists without the other. */
export function record(account: string, event: ActivityEvent, who: Who): Action {
  const { action, at, subject, number, person, key, subscription } = event;
  const item: ActivityItem = {
    pk: account,
    sk: `${at.toISOString()}#${subject}#${number}`,
    action,
    author: authorOf(who),
    person,
    ...(key ? { key_id: key.id, key_name: key.after.name, before: key.before, after: key.after } : {}),
    ...(subscription
      ? {
          subscription_id: subscription.id,
          subscription_name: subscription.name,
          changes: subscription.changes,
        }
      : {}),
    session_id: who.sessionId,
    ip: who.ip,
    user_agent: who.userAgent,
    request_id: who.requestId,
    ttl: Math.ceil((at.getTime() + activityKeptMs()) / 1000),
  } as ActivityItem;
  return activity.put(item, { if: { pk: absent } });
}

export const shownEntry = (item: ActivityItem): ActivityEntry => ({
  id: item.sk,
  at: item.sk.slice(0, item.sk.indexOf('#')),
  action: item.action,
  author: authorOf(item.author),
  person: item.person ? { id: item.person.id, name: item.person.name } : null,
  key_id: item.key_id ?? null,
  key_name: item.key_name ?? null,
  subscription_id: item.subscription_id ?? null,
  subscription_name: item.subscription_name ?? null,
  changes: (item.changes ?? []).map(({ field, before, after }) => ({ field, before, after })),
  session_id: item.session_id ?? null,
  ip: item.ip ?? null,
  user_agent: item.user_agent ?? null,
  request_id: item.request_id ?? null,
  before: item.before ? shownState(item.before) : null,
  after: item.after ? shownState(item.after) : null,
});

/** Restores the order of fields, which the database does not keep. */
const shownState = ({ name, scopes, full_access, expires_at, hints }: KeyState): KeyState => ({
  name,
  scopes,
  full_access,
  expires_at,
  hints,
});

/** Returns the number of an entry. For a change to a key, this is the revision that the change created. */
export const numberOf = ({ id }: Pick<ActivityEntry, 'id'>): number =>
  Number(id.slice(id.lastIndexOf('#') + 1));
