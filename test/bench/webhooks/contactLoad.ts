import type { EventType } from '../../../lib/contract/eventTypes.ts';
import { contacts } from '../../../lib/records/contacts.ts';
import { listRecords } from '../../../lib/records/list.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { openClient } from '../load/httpClient.ts';
import { givenManyContacts } from '../load/manyContacts.ts';
import { type BenchReceiver, openReceiver } from './benchReceiver.ts';

/** An account whose contacts change, with receivers that are told of it. */
export interface Changing {
  receivers: [BenchReceiver, ...BenchReceiver[]];
  /** Changes one contact through the API, each time the next one. */
  change(): Promise<void>;
  /** Creates contacts as fast as it goes, through the store. */
  create(count: number): Promise<void>;
  /** Nobody is told any more. */
  close(): Promise<void>;
}

/** So many that hardly ever two changes are at the same contact. */
const contactCount = 100;

const connections = 16;

const deleteMs = 10_000;

/** @param event_types of which its receivers are told; not of what is created here, unless they ask for that too */
export async function openChanging(
  url: string,
  receiverCount: number,
  event_types: EventType[] = ['contact.updated'],
): Promise<Changing> {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  await givenManyContacts(account, contactCount);
  const { data } = await listRecords(contacts, account, { limit: contactCount, offset: 0 });
  const receivers: Changing['receivers'] = [await openReceiver()];
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
