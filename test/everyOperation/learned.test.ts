import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type OperationId, operations } from '../../lib/contract/index.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../../lib/contract/webhookDeliveries.ts';
import {
  ofEach,
  type Resource,
  type ResourceType,
  resources,
  resourceTypes,
  type Scope,
  scopes,
} from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import {
  aContact,
  aReceiver as aUrl,
  givenAccount,
  givenContacts,
  givenKey,
  givenRedelivery,
  givenSubscription,
} from '../support/data/given.ts';
import {
  aMarkedRecord,
  aPatch,
  aRecord,
  asWritten,
  givenRecords,
  ofListsAndReads,
  ofWrites,
  typesOfContacts,
} from '../support/data/records.ts';
import { call, type Request } from '../support/http/api.ts';
import { ownRequests } from '../support/http/ownRequests.ts';
import { answer, aReceiver, partsOf } from '../support/http/receivers.ts';
import { validRequests } from '../support/http/requests.ts';
import { sampleOf } from '../support/run/sample.ts';

type ReadScope = Resource['scopes'][0];

/** An account with something in every area: what a request names of it, and what nobody may learn without a scope. */
interface World {
  account: string;
  /** The id of a record of each type. */
  ids: Record<ResourceType, string>;
  subscription: string;
  delivery: string;
  redelivery: string;
  secrets: Record<ReadScope, string[]>;
}

const canary = (): string => `canary${randomBytes(6).toString('hex')}`;

const taken = 'taken-external-id';

const longAgo = '2000-01-01T00:00:00Z';

async function givenWorld(): Promise<World> {
  const account = givenAccount();
  const marks = ofEach(canary);
  const ofContacts = marks.contact;
  const written = {
    email: `${ofContacts}@example.com`,
    first_name: ofContacts,
    note: ofContacts,
    tags: [ofContacts],
    address: { line1: ofContacts },
    custom_fields: { [ofContacts]: ofContacts },
  };
  const { subscription, delivery } = await givenAttempt(account, ofContacts);
  const [contact, other] = await givenContacts(account, [
    aContact(written),
    aContact({ ...written, external_id: taken }),
  ]);
  const ids = { contact: contact?.id } as World['ids'];
  for (const type of resourceTypes.filter((type) => type !== 'contact')) {
    const [record] = await givenRecords(type, account, [aMarkedRecord(type, marks[type])]);
    ids[type] = record?.id as string;
  }
  return {
    account,
    ids,
    subscription,
    delivery,
    redelivery: (await givenRedelivery(account, { id: subscription, created_at: longAgo })).id,
    secrets: {
      ...(Object.fromEntries(
        resourceTypes.map((type) => [resources[type].scopes[0], [marks[type]]]),
      ) as World['secrets']),
      'contacts:read': [ofContacts, other?.id as string],
    },
  };
}

/** A delivery of a contact to a receiver that answers with what it was sent, as it is shown to a key for everything. */
async function givenAttempt(
  account: string,
  name: string,
): Promise<Pick<World, 'subscription' | 'delivery'>> {
  const receiver = await aReceiver((socket, request) =>
    socket.end(answer('200 OK', [], partsOf(request).body)),
  );
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id } = await givenSubscription(account, { url, event_types: ['contact.*'] });
  await givenContacts(account, [aContact({ first_name: name })]);
  const { text: key } = await givenKey(account);
  const shown = async () =>
    (await call(listWebhookDeliveries, { key, params: { subscriptionId: id } })).body.data[0];
  await expect.poll(shown).toMatchObject({
    status: 'succeeded',
    attempts: [{ response_excerpt: expect.stringContaining(name) }],
  });
  return { subscription: id, delivery: (await shown())?.id as string };
}

const once = { 'Idempotency-Key': 'once' };
const conditional = ['"1"', '"99"', '*'].map((tag) => ({ 'If-Match': tag, 'If-None-Match': tag }));

const oneSubscription = ({ subscription }: World): Request => ({ params: { subscriptionId: subscription } });

const oneDelivery = ({ subscription, delivery }: World): Request => ({
  params: { subscriptionId: subscription, deliveryId: delivery },
});

/** Requests by which a key could find something out. None of them holds what it must not learn. */
const requestsOf: Record<Exclude<OperationId, keyof typeof ownRequests>, (world: World) => Request[]> = {
  ...ofListsAndReads<(world: World) => Request[]>(
    (type) =>
      ({ ids }) => [
        {},
        ...[
          ...[{ offset: 0 }, { offset: 1 }, { sort: '-created_at' }, { after: ids[type] }, { id: ids[type] }],
          ...[{ external_id: taken }, { created_since: longAgo }, { updated_since: longAgo }],
          ...(typesOfContacts.includes(type) ? [{ contact_id: ids.contact }] : []),
        ].map((query) => ({ query })),
      ],
    (type, paramsOf) =>
      ({ ids }) =>
        one(paramsOf(ids[type])),
  ),
  ...ofWrites<(world: World) => Request[]>((kind, type, operation) => ({ ids }) => {
    const own = asWritten(type, aRecord(type));
    const [, parameter = ''] = /\{(\w+)\}$/.exec(operation.path) ?? [];
    if (kind === 'create') return [{ body: own }, { body: own, headers: once }, { body: {} }];
    if (kind === 'upsert') return one({ [parameter]: 'own' }).map((request) => ({ ...request, body: own }));
    if (kind === 'batch')
      return [{ body: { [operation.batch?.list as string]: [{ ...own, external_id: 'own' }] } }];
    return one({ [parameter]: ids[type] }).map((request) =>
      kind === 'update' ? { ...request, body: aPatch(type) } : request,
    );
  }),
  createContact: () => [
    { body: { email: 'own@example.com' } },
    { body: { email: 'own@example.com' }, headers: once },
    { body: { external_id: taken } },
    { body: { external_id: taken }, headers: { 'Idempotency-Key': 'taken' } },
    { body: {} },
  ],
  updateContact: ({ ids }) =>
    [
      {},
      { company: 'Own' },
      { external_id: taken },
      { email: null, phone: null, external_id: null },
      { custom_fields: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`own_${i}`, i])) },
      { nope: 1 },
    ].flatMap((body) => one({ contactId: ids.contact }).map((request) => ({ ...request, body }))),
  upsertContact: () => [
    ...[{}, { email: 'own@example.com' }, { nope: 1 }].flatMap((body) =>
      one({ externalId: taken }).map((request) => ({ ...request, body })),
    ),
    { params: { externalId: 'own' }, body: {} },
    { params: { externalId: 'own' }, body: { external_id: taken } },
  ],
  batchUpsertContacts: () => [
    { body: { contacts: [{ external_id: 'own' }, { external_id: taken }, { external_id: taken, nope: 1 }] } },
    { body: { contacts: [{ external_id: 'own' }, { external_id: taken }, { external_id: 'bad', nope: 1 }] } },
    { body: { contacts: [{ external_id: 'own' }, { external_id: taken, email: 'own@example.com' }] } },
    { body: { contacts: [] } },
  ],
  listChanges: () => [
    {},
    { query: { types: '*' } },
    { query: { sort: '-number' } },
    { query: { after: 0 } },
    { query: { include: 'resource' } },
  ],
  listWebhookSubscriptions: () => [{}],
  createWebhookSubscription: () => [
    { body: { url: aUrl(), event_types: ['*'] } },
    { body: { url: aUrl(), event_types: ['*'] }, headers: once },
  ],
  getWebhookSubscription: (world) => [oneSubscription(world)],
  updateWebhookSubscription: (world) => [{ ...oneSubscription(world), body: { description: 'own' } }],
  deleteWebhookSubscription: (world) => [oneSubscription(world)],
  rotateWebhookSecret: (world) => [
    { ...oneSubscription(world), body: { overlap_seconds: 0 } },
    { ...oneSubscription(world), body: { overlap_seconds: 0 }, headers: once },
  ],
  testWebhookSubscription: (world) => [
    oneSubscription(world),
    { ...oneSubscription(world), body: { check_signatures: true } },
  ],
  listWebhookDeliveries: (world) => [oneSubscription(world)],
  getWebhookDelivery: (world) => [oneDelivery(world)],
  redeliverWebhook: (world) => [oneDelivery(world), { ...oneDelivery(world), headers: once }],
  redeliverWebhooks: (world) =>
    [{}, { headers: once }].map((more) => ({
      ...oneSubscription(world),
      ...more,
      body: { since: longAgo, status: 'all' },
    })),
  getWebhookRedelivery: ({ subscription, redelivery }) => [
    { params: { subscriptionId: subscription, redeliveryId: redelivery } },
  ],
  getMe: () => [{}],
  getMyUsage: () => [{}, { query: { resolution: 'day' } }],
};

const one = (params: Record<string, string>): Request[] => [
  { params },
  ...conditional.map((headers) => ({ params, headers })),
];

/** Every scope alone, and all of them but one. */
const sets: Scope[][] = [
  ...scopes.map((scope) => [scope]),
  ...scopes.map((scope) => scopes.filter((other) => other !== scope)),
];

/** Requests whose answers show a key with full access what others must not learn. */
const telling: Partial<Record<OperationId, ReadScope>> = {
  ...ofListsAndReads<ReadScope>(
    (type) => resources[type].scopes[0],
    (type) => resources[type].scopes[0],
  ),
  createContact: 'contacts:read',
  updateContact: 'contacts:read',
  upsertContact: 'contacts:read',
  batchUpsertContacts: 'contacts:read',
  listWebhookDeliveries: 'contacts:read',
  getWebhookDelivery: 'contacts:read',
  redeliverWebhook: 'contacts:read',
};

/** The log of deliveries tells the ids of records, as thin events do. */
const isLog = ({ path }: Operation): boolean => path.includes('/deliveries');

test.each(operations.map((operation, turn) => [operation.id, operation as Operation, turn] as const))(
  '%s tells a key nothing that its scopes do not say it may read',
  async (id, operation, turn) => {
    const world = await givenWorld();
    const requests = id in ownRequests ? [await validRequests[id](world.account)] : requestsOf[id](world);
    const { text: full } = await givenKey(world.account);
    const textsFor = async (key: string) => {
      const texts: string[] = [];
      for (const request of requests) {
        const { status, headers, body } = await call(operation, { ...request, key });
        texts.push(JSON.stringify([status, [...headers], body]));
      }
      return texts;
    };

    const readByAll = await textsFor(full);
    const area = telling[id];
    if (area)
      expect(
        readByAll.some((text) => world.secrets[area].some((secret) => text.includes(secret))),
        'a key with full access must get it; otherwise this test would look for something that no answer contains',
      ).toBe(true);

    for (const set of sampleOf(sets, { name: 'learned', count: 1, turn })) {
      const { text: key } = await givenKey(world.account, set);
      const hidden = Object.entries(world.secrets)
        .flatMap(([scope, secrets]) => (set.includes(scope as Scope) ? [] : secrets))
        .filter((secret) => !isLog(operation) || !secret.startsWith('con_'));
      for (const [i, text] of (await textsFor(key)).entries())
        for (const secret of hidden)
          expect(text, `${set.join(' ')}: request ${i} ${JSON.stringify(requests[i])}`).not.toContain(secret);
    }
  },
);

test('what a receiver answered to a full payload is replayed only to a key that may read the payload', async () => {
  const world = await givenWorld();
  const redeliver = operations.find(({ id }) => id === 'redeliverWebhook') as Operation;
  const request = { ...oneDelivery(world), headers: once };
  const [full, lesser] = [await givenKey(world.account), await givenKey(world.account, ['webhooks:manage'])];
  const excerptFor = async ({ text: key }: { text: string }, operation: Operation = redeliver) => {
    const { body } = await call(operation, { ...request, key });
    return (body as unknown as { attempts: { response_excerpt: string | null }[] }).attempts[0]
      ?.response_excerpt;
  };
  const quoted = expect.stringContaining(world.secrets['contacts:read'][0] as string);
  expect(await excerptFor(full)).toEqual(quoted);
  expect(await excerptFor(lesser)).toBeNull();
  expect(await excerptFor(lesser, getWebhookDelivery)).toBeNull();
  expect(await excerptFor(full)).toEqual(quoted);
});
