import type { EventType } from '../../../lib/contract/eventTypes.ts';
import { inAccount } from '../../../lib/records/keys.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { openClient } from '../load/httpClient.ts';
import { givenManyContacts } from '../load/manyContacts.ts';
import { type BenchReceiver, openReceiver } from './benchReceiver.ts';

/** An account whose contacts are changed, with receivers of the webhooks. */
export interface ContactLoad {
  receivers: [BenchReceiver, ...BenchReceiver[]];
  /** Changes a contact through the API, each time the next one. */
  change(): Promise<void>;
  /** Creates contacts as fast as possible, through the store. */
  create(count: number): Promise<void>;
  /** Deletes the subscriptions and ends the receivers. */
  close(): Promise<void>;
}

/** With this many contacts, two changes are hardly ever at the same one. */
const contactCount = 100;

const connections = 16;

const deleteMs = 10_000;

/** @param event_types of the subscriptions; `contact.created` also counts the contacts that are created here */
export async function openContactLoad(
  url: string,
  receiverCount: number,
  event_types: EventType[] = ['contact.updated'],
): Promise<ContactLoad> {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  await givenManyContacts(account, contactCount);
  const { data } = await listRecords(inAccount(contacts, account), { limit: contactCount, offset: 0 });
  const receivers: ContactLoad['receivers'] = [await openReceiver()];
  while (receivers.length < receiverCount) receivers.push(await openReceiver());
  const subscriptions = await Promise.all(
    receivers.map((receiver) => givenSubscription(account, { url: receiver.url, event_types })),
  );
  const client = openClient(url, key, connections);
  let nth = 0;
  return {
    receivers,
    change: () => {
      const contact = data[nth % contactCount];
      return client.send('PATCH', `/contacts/${contact?.id}`, { note: `changed ${nth++} times` });
    },
    create: (count) => givenManyContacts(account, count),
    close: async () => {
      client.close();
      for (const { id } of subscriptions) await deleteSubscription(account, id, Date.now() + deleteMs);
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}
