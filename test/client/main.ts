import { randomUUID } from 'node:crypto';
import { type Api, bodyOf, connect, type Schema } from './api.ts';
import { changesBehind, newestNumber } from './changes.ts';
import {
  addTag,
  allContacts,
  contactsById,
  contactsWith,
  createContact,
  refresh,
  state,
  stateAll,
} from './contacts.ts';
import { describeEvent, receive, type WebhookEvent } from './receiver.ts';
import { allOrders, allRegistrations, getOrder, getRegistration, ordersWith, revenue } from './sales.ts';
import { until } from './until.ts';
import { collected } from './walk.ts';
import {
  allSubscriptions,
  deliveriesAbout,
  getDelivery,
  getRedelivery,
  getSubscription,
  redeliver,
  redeliverSince,
  rotateSecret,
  sendTest,
  subscribe,
  unsubscribe,
  updateSubscription,
} from './webhooks.ts';

async function useContacts(api: Api) {
  const draft: Schema<'ContactDraft'> = { email: 'ada@example.com', address: { city: 'London' } };
  const key = randomUUID();
  const { contact } = await createContact(api, key, draft);
  // As one would when the answer to the first did not come.
  const again = await createContact(api, key, draft);
  await Promise.all(['vip', 'newsletter'].map((tag) => addTag(api, contact.id, tag)));
  const tagged = await refresh(api, contact);
  // A filter follows a change within about a second.
  const [found] = await until(async () => {
    const contacts = await collected(contactsWith(api, ['newsletter', 'vip']));
    return contacts.length > 0 ? contacts : undefined;
  });
  const stated = await state(api, 'crm-1', { email: 'lin@example.com' });
  const many = Array.from({ length: 150 }, (_, i) => ({ external_id: `crm-${i}`, note: 'from the CRM' }));
  const refused = await stateAll(api, [...many, { external_id: 'crm-150', email: 'nobody' }]);
  return {
    stated: stated?.version,
    refused,
    created: contact.id,
    again: again.contact.id,
    replayed: again.replayed,
    tags: tagged.tags,
    found: found?.id,
    unchanged: (await refresh(api, tagged)) === tagged,
    amount: (await collected(allContacts(api))).length,
  };
}

async function useChanges(api: Api) {
  const newest = await newestNumber(api);
  const changes = await collected(changesBehind(api, -1));
  const ofContacts = changes.slice(0, 100).filter(({ resource }) => resource.type === 'contact');
  const changed = new Set(ofContacts.map(({ resource }) => resource.id));
  for (const { id } of await contactsById(api, [...changed])) changed.delete(id);
  return {
    inOrder: changes.every(({ number }, i) => number === i),
    complete: changes.length > newest,
    left: changed.size,
  };
}

async function useSales(api: Api) {
  const [order] = await collected(allOrders(api));
  const [registration] = await collected(allRegistrations(api));
  return {
    revenue: await revenue(allOrders(api)),
    due: (await collected(ordersWith(api, ['unpaid', 'partially_paid']))).map(
      ({ payment_status }) => payment_status,
    ),
    bought: order && (await getOrder(api, order.id)).line_items.map(({ name }) => name),
    event: registration && (await getRegistration(api, registration.id)).event.name,
  };
}

async function useWebhooks(api: Api) {
  const receiver = await receive();
  const { id, secret } = await subscribe(api, { url: receiver.url, event_types: ['contact.created'] });
  receiver.trust(secret);
  const { outcome, verifies_signatures } = await sendTest(api, id);
  receiver.trust(await rotateSecret(api, id));

  const { contact } = await createContact(api, randomUUID(), { email: 'grace@example.com' });
  const isAboutIt = ({ resource }: WebhookEvent) => resource.id === contact.id;
  const event = await until(() => receiver.events.find(isAboutIt));
  const delivery = await until(async () =>
    (await collected(deliveriesAbout(api, id, contact.id, ['succeeded']))).find(
      ({ event_id }) => event_id === event.id,
    ),
  );
  const { attempts, body } = await getDelivery(api, delivery);
  await redeliver(api, delivery);
  await until(() => receiver.events.filter(isAboutIt)[1]);
  const started = await redeliverSince(api, id, delivery.created_at);
  const redelivery = await until(async () => {
    const current = await getRedelivery(api, started);
    return current.state === 'running' ? undefined : current;
  });
  await until(() => receiver.events.filter(isAboutIt)[2]);

  await updateSubscription(api, id, { status: 'paused' });
  const { status, health, updated_by_key_id } = await getSubscription(api, id);
  await unsubscribe(api, id);
  receiver.close();
  return {
    test: { outcome, verifies_signatures },
    events: receiver.events
      .filter(({ resource }) => [id, contact.id].includes(resource.id))
      .map(describeEvent),
    again: { state: redelivery.state, redelivered: redelivery.redelivered },
    answered: attempts.map(({ http_status }) => http_status),
    sent: body === null ? null : JSON.parse(body).data.email,
    paused: { status, by: updated_by_key_id, failures: health.consecutive_failures },
    left: (await collected(allSubscriptions(api))).length,
  };
}

// URL and KEY as `npm start` prints them. The key has to be one for everything.
const { URL: baseUrl = '', KEY: key = '' } = process.env;
const api = connect(baseUrl, key, console.error);
const { account } = bodyOf(await api.GET('/me'));
const { groups } = bodyOf(await api.GET('/me/usage', { params: { query: { resolution: 'day' } } }));
const done = {
  account,
  answered: groups.map(({ status_class }) => status_class),
  contacts: await useContacts(api),
  sales: await useSales(api),
  webhooks: await useWebhooks(api),
  changes: await useChanges(api),
};
console.log(JSON.stringify(done, undefined, 2));
