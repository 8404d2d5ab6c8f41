import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Who } from '../../../lib/activity/author.ts';
import type { WebhookDelivery } from '../../../lib/contract/webhookDeliveries.ts';
import { redeliveryRequest, type WebhookRedelivery } from '../../../lib/contract/webhookRedeliveries.ts';
import {
  type SubscriptionDraft,
  type SubscriptionWithSecret,
  subscriptionDraft,
  type WebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { transact } from '../../../lib/dynamodb/transact.ts';
import { randomId } from '../../../lib/ids.ts';
import { toEntry } from '../../../lib/inbox/inboxResources.ts';
import { type ApiKey, issue, type NewKey, scopedTo } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import { deleteNamed } from '../../../lib/records/deletion/deleteNamed.ts';
import { newSeed, recordId } from '../../../lib/records/position.ts';
import { type AccountCollection, inAccount } from '../../../lib/records/recordKeys.ts';
import { byOperator } from '../../../lib/records/recordOrigin.ts';
import { entriesMax, upsertMany } from '../../../lib/records/upsert/upsert.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { type Contact, contacts, createContact } from '../../../lib/resources/contacts.ts';
import { type ResourceType, resources, type Scope } from '../../../lib/resources/index.ts';
import { commitmentOf } from '../../../lib/webhooks/events/commitment.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import type { ChangeAuthor } from '../../../lib/webhooks/model/subscription.ts';
import { changeSubscription, readSubscription } from '../../../lib/webhooks/model/subscriptions.ts';
import type { WebhookEvent } from '../../../lib/webhooks/model/webhookEvent.ts';
import { findRedelivery, startRedelivery } from '../../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { loopbackAllowed } from '../../../lib/webhooks/sending/receiverAddress.ts';
import { createSubscription } from '../../../lib/webhooks/subscriptions/createSubscription.ts';

/** An account that no other test uses. */
export const givenAccount = (): string => `test-${randomBytes(8).toString('hex')}`;

/** The author of what tests change. */
export const aTester: Who = { kind: 'operator', id: 'tester', name: 'A tester' };

/** A key of an account: with the scopes, or with full access when there are none. */
export async function givenKey(
  account: string,
  scopes: readonly Scope[] = [],
  more: Partial<NewKey> = {},
): Promise<{ key: ApiKey; text: string }> {
  const access = scopes.length > 0 ? scopedTo(scopes) : ({ kind: 'full' } as const);
  const issued = issue({ accountId: account, name: 'A test', access, ...more }, 'test', new Date());
  return { ...issued, key: await saveKey(issued.key, undefined, aTester) };
}

let receivers = 0;

/** A new URL without a receiver behind it. A deployed stack does not send to loopback. */
export const aReceiver = (): string =>
  `${loopbackAllowed() ? 'http://127.0.0.1:9' : 'https://example.com'}/hook-${++receivers}`;

/** A change author with full access. */
export const aFullKey: ChangeAuthor = { keyId: randomId('key'), access: { kind: 'full' } };

/** A deadline of what is only to be there, which no machine misses. */
export const inAnHour = (): number => Date.now() + 3_600_000;

/** A new subscription of an account, with its secret. By default it is to all event types. */
export async function givenSubscription(
  account: string,
  more: Partial<SubscriptionDraft> = {},
  by = aFullKey,
): Promise<SubscriptionWithSecret> {
  const draft = subscriptionDraft().parse({ url: aReceiver(), event_types: ['*'], ...more });
  const { body } = await createSubscription(account, draft, {
    by,
    deadline: inAnHour(),
    once: undefined,
  });
  return body;
}

/** Deliveries of made-up events for a subscription, oldest first. Those of a paused subscription are never sent. */
export async function givenDeliveries(
  account: string,
  { id }: Pick<WebhookSubscription, 'id'>,
  amount = 1,
  now = new Date(),
  more: Partial<WebhookEvent> = {},
): Promise<WebhookDelivery[]> {
  for (let rest = amount; rest > 0; rest -= 49) {
    const to = [await readSubscription(account, id)];
    const batch = Array.from({ length: Math.min(49, rest) }, () => ({
      event: { ...anEvent(), ...more },
      to,
    }));
    if (!(await transact(commitmentOf(account, batch, now).actions)).committed)
      throw new Error('others were at the log');
  }
  const { data } = await listDeliveries(
    account,
    id,
    { limit: Math.min(100, amount), offset: 0 },
    { kind: 'full' },
  );
  return data.reverse();
}

/** A bulk redelivery of the failed deliveries of a subscription. */
export async function givenRedelivery(
  account: string,
  { id, created_at: since }: Pick<WebhookSubscription, 'id' | 'created_at'>,
): Promise<WebhookRedelivery> {
  const { body } = await startRedelivery(account, id, redeliveryRequest().parse({ since }), {
    deadline: inAnHour(),
    once: undefined,
  });
  return body;
}

/** Suspends a subscription, as five days of failures do. */
export async function givenSuspended(account: string, id: string): Promise<void> {
  const current = await readSubscription(account, id);
  const { action } = changeSubscription(account, current, { status: 'suspended', status_reason: 'failing' });
  await transact([action]);
}

/** One that is over: what a read of it answers does not change any more. */
export async function givenFinishedRedelivery(
  account: string,
  subscription: Pick<WebhookSubscription, 'id' | 'created_at'>,
): Promise<WebhookRedelivery> {
  const started = await givenRedelivery(account, subscription);
  while ((await findRedelivery(account, subscription.id, started.id))?.state === 'running') await sleep(50);
  return started;
}

const anEvent = (): WebhookEvent => {
  const resource = { type: 'contact', id: recordId('con', 0, newSeed()) } as const;
  const event = { id: randomId('evt'), type: 'contact.updated', resource, changed_fields: [] } as const;
  return {
    ...event,
    origin: { kind: 'product' },
    body: JSON.stringify({ type: event.type, resource, data: 'whole' }),
  };
};

let count = 0;

/** A valid contact as it is imported. */
export const aContact = (more: object = {}) => ({ external_id: `contact-${++count}`, ...more });

/** Records that are stored directly, not through the API. */
export async function stored<R extends Stored>(ref: AccountCollection<R>, parsed: unknown[]): Promise<R[]> {
  const { collection, account } = ref;
  const records: R[] = [];
  for (let at = 0; at < parsed.length; at += entriesMax) {
    const entries = parsed
      .slice(at, at + entriesMax)
      .map((one) => toEntry(resources[collection.type].path, one, {}));
    for (const result of await upsertMany(
      inAccount(collection as unknown as Collection<Stored>, account),
      entries,
    )) {
      if (!('record' in result)) throw new Error(result.kind);
      records.push(result.record as R);
    }
  }
  return records;
}

export const givenContacts = (account: string, drafts: object[]): Promise<Contact[]> =>
  stored(
    inAccount(contacts, account),
    drafts.map((draft) => createContact.body().parse(draft)),
  );

/** Deletes a record, as an operator does. */
export const deleted = (account: string, recordId: string, type: ResourceType = 'contact') =>
  deleteNamed({ account, type }, { recordId }, { origin: byOperator, deadline: inAnHour() });
