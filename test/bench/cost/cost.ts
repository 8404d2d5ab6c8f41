import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { handler as authorizerHandler } from '../../../functions/authorizer.ts';
import {
  date,
  type Measured,
  queueDollars,
  region,
  requestDollars,
  type Usage,
  workDollars,
} from '../../../infra/ops/price/price.ts';
import { settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { fileOf, type OperationId, operations } from '../../../lib/contract/index.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { type ResourceType, resourceTypes } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import {
  givenAccount,
  givenDeliveries,
  givenKey,
  givenRedelivery,
  givenSubscription,
} from '../../support/data/given.ts';
import { ofListsAndReads, ofWrites, writeRequest } from '../../support/data/records.ts';
import { simulateRemoteDatabase } from '../../support/faults/contention.ts';
import type { Request } from '../../support/http/api.ts';
import { authorizerEvent, fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import type { StackProcess } from '../../support/stack/stackProcess.ts';
import { contactAt, givenManyContacts } from '../load/manyContacts.ts';
import type { Report } from '../report/report.ts';
import { median, timed } from '../report/statistics.ts';
import { consumedBy } from './consumed.ts';
import { countingCost } from './counting.ts';
import { type PipelineWork, pipelineWork } from './pipeline.ts';

/** The time of a call to the database on AWS, within a region. */
const databaseMs = 5;

/** The requests per call of the authorizer, for a key that sends one request a second: one call per cache time. */
const cachedRequests = 60;

const runs = 30;

const { memoryMb, functionMemoryMb } = settingsOf('prod');

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

/** Dollars for a million calls of each operation, from the units and the time that its own handler takes. */
export async function cost({ ready }: StackProcess): Promise<Report> {
  // One page more than the deepest offset.
  const account = givenAccount();
  await givenManyContacts(account, 100_100);
  const requests = await requestsFor(account, ready.account);
  const { text: key } = await givenKey(account);
  const undo = simulateRemoteDatabase({ latencyMs: databaseMs, conflicts: false });
  const loud = process.stdout.write;
  // The log of the handlers.
  process.stdout.write = () => true;
  try {
    const authorizer = await usageOf(() => authorizerHandler(authorizerEvent({ 'X-Api-Key': [key] })));
    const usages: [name: string, usage: Usage][] = [];
    for (const operation of operations)
      for (const { note = '', ...request } of requests[operation.id])
        usages.push([`${operation.id}${note}`, await usageOf(await callOf(operation, key, request))]);
    const counting = await countingCost(functionMemoryMb.countRequests ?? memoryMb);
    const pipeline = await pipelineWork(memoryMb);
    const byName = Object.fromEntries(usages);
    const usage = (name: OperationId) => byName[name] as Usage;
    return {
      title: 'Dollars for a million calls',
      columns: ['Call', 'Read units', 'Write units', 'Lambda ms', 'Authorizer cached', 'Not cached'],
      rows: [
        ...usages.map(([name, usage]) => [
          name,
          plain(usage.read),
          plain(usage.write),
          Math.ceil(usage.ms),
          inDollars(requestDollars(usage, authorizer, 1 / cachedRequests)),
          inDollars(requestDollars(usage, authorizer, 1)),
        ]),
        [
          'counting of any call, 5 log lines a batch',
          plain(counting.read),
          plain(counting.write),
          plain(counting.ms),
          inDollars(workDollars(counting)),
          inDollars(workDollars(counting)),
        ],
        // It is sent while the webhooks of the change are made, in the same invocation.
        [
          'outbox message that shares no SQS call with others',
          '0',
          '0',
          0,
          inDollars(queueDollars),
          inDollars(queueDollars),
        ],
        ...Object.entries(pipelineRows).map(([name, row]) => {
          const work = pipeline[name as keyof PipelineWork];
          const dollars = inDollars(workDollars(work));
          return [row, plain(work.read), plain(work.write), plain(work.ms), dollars, dollars];
        }),
      ],
      notes: [
        `List prices of ${region}, ${date}: REST API, Lambda (arm64, ${memoryMb} MB), DynamoDB on demand; without data transfer, logs, ` +
          `traces and storage. Each call to the database was given ${databaseMs} ms more than it takes here. Cached: a key that sends a ` +
          'request a second. Counting: five lines of the access log in a batch, of two keys; 3 of 100 calls fail, and each has a line of its function.',
      ],
      raw: {
        databaseMs,
        // infra/ops/price/measured.json is a copy of these.
        measured: {
          cachedRequests,
          authorizer,
          counting,
          reads: [usage('listContacts'), usage('getContact')],
          writes: [usage('createContact'), usage('updateContact')],
          ...pipeline,
        } satisfies Measured,
        usages: byName,
      },
    };
  } finally {
    process.stdout.write = loud;
    undo();
  }
}

const pipelineRows: Record<keyof PipelineWork, string> = {
  change: 'a change in the index and the feed',
  event: 'an event and its delivery',
  message: 'a message of the inbox',
};

interface CostedRequest extends Request {
  /** The account of the records. */
  account: string;
  note?: string;
  /** For an operation that succeeds only once per request: a new one of these is sent each time. */
  once?: (Request & { account: string })[];
}

/** The requests of each operation: contacts in the account that has many, the others in the demo account. */
async function requestsFor(account: string, demo: string): Promise<Record<OperationId, CostedRequest[]>> {
  const page = { limit: 1, offset: 0 };
  const idIn = async (list: Promise<{ data: { id: string }[] }>) => (await list).data[0]?.id as string;
  const contactId = await idIn(listRecords(inAccount(contacts, account), page));
  const ids: Partial<Record<ResourceType, string>> = {};
  for (const type of resourceTypes)
    ids[type] = await idIn(listRecords(inAccount(collectionOf(type), demo), page));
  const { external_id: _, ...body } = contactAt(0);
  return {
    ...ofListsAndReads<CostedRequest[]>(
      () => [{ account: demo }],
      (type, paramsOf) => [{ account: demo, params: paramsOf(ids[type] as string) }],
    ),
    ...(await writesOf()),
    listContacts: [
      { account },
      ...[1000, 100_000].map((offset) => ({
        account,
        query: { offset },
        note: `, offset ${inWords(offset)}`,
      })),
      { account, query: { limit: 100 }, note: ', a hundred' },
    ],
    createContact: [{ account, body }],
    getContact: [{ account, params: { contactId } }],
    updateContact: [{ account, params: { contactId } }],
    upsertContact: [{ account: demo, params: { externalId: 'demo-1001' } }],
    batchUpsertContacts: [
      {
        account,
        note: ', 100 new ones',
        once: Array.from({ length: runs + 1 }, (_, i) => ({
          account,
          body: { contacts: batchFrom(100 * i) },
        })),
      },
    ],
    listChanges: [
      { account: demo },
      { account: demo, query: { limit: 100 }, note: ', a hundred' },
      { account: demo, query: { limit: 100, include: 'resource' }, note: ', a hundred with records' },
    ],
    ...(await webhookRequests()),
    getMe: [{ account }],
    getMyUsage: [{ account }],
  };
}

/** Each write of records, in a new account each time. */
async function writesOf() {
  const all = ofWrites((kind, type, operation) => writeRequest(kind, type, operation, 'Bench'));
  const some = (make: (account: string) => Promise<object>) =>
    Promise.all(
      Array.from({ length: runs + 1 }, async () => {
        const account = givenAccount();
        return { account, ...(await make(account)) };
      }),
    );
  return Object.fromEntries(
    await Promise.all(
      Object.entries(all).map(async ([id, make]) => [
        id,
        [{ account: givenAccount(), once: await some(make) }],
      ]),
    ),
  ) as Record<keyof typeof all, CostedRequest[]>;
}

/** The subscription is paused, so that nothing is sent during the measurement. */
async function webhookRequests() {
  const account = givenAccount();
  const subscription = await givenSubscription(account, { status: 'paused' });
  const [delivery] = await givenDeliveries(account, subscription, 100);
  const params = { subscriptionId: subscription.id };
  const one = { account, params: { ...params, deliveryId: delivery?.id as string } };
  const some = () => Promise.all(Array.from({ length: runs + 1 }, givenOneSubscription));
  const redelivery = await givenRedelivery(account, subscription);
  const draft = { url: subscription.url, event_types: ['contact.*'] };
  return {
    listWebhookSubscriptions: [{ account }],
    createWebhookSubscription: [
      {
        account,
        once: Array.from({ length: runs + 1 }, () => ({ account: givenAccount(), body: draft })),
      },
    ],
    getWebhookSubscription: [{ account, params }],
    updateWebhookSubscription: [{ account, params }],
    deleteWebhookSubscription: [{ account, once: await some() }],
    rotateWebhookSecret: [{ account, params, body: { overlap_seconds: 0 } }],
    testWebhookSubscription: [{ account, params, note: ', refused by the receiver' }],
    listWebhookDeliveries: [{ account, params }],
    getWebhookDelivery: [one],
    redeliverWebhook: [one],
    redeliverWebhooks: [
      {
        account,
        once: (await some()).map((one) => ({ ...one, body: { since: subscription.created_at } })),
      },
    ],
    getWebhookRedelivery: [{ account, params: { ...params, redeliveryId: redelivery.id } }],
  };
}

async function givenOneSubscription() {
  const account = givenAccount();
  return { account, params: { subscriptionId: (await givenSubscription(account)).id } };
}

const batchFrom = (from: number) =>
  Array.from({ length: 100 }, (_, i) => ({ ...contactAt(from + i), external_id: `crm-${from + i}` }));

/** Each change differs from the last: a change that changes nothing writes nothing. */
const changes: Partial<Record<OperationId, (nth: number) => object>> = {
  updateContact: (nth) => ({ note: `changed ${nth} times` }),
  upsertContact: (nth) => ({ note: `changed ${nth} times` }),
  updateWebhookSubscription: (nth) => ({ description: `changed ${nth} times` }),
};

/** One call of an operation's handler. */
async function callOf(
  operation: Operation & { id: OperationId },
  key: string,
  { once, ...fixed }: CostedRequest,
) {
  const { handler } = (await import(`../../../${fileOf(operation)}`)) as { handler: Handler };
  let calls = 0;
  return async () => {
    const { account, body, ...request } = once?.pop() ?? fixed;
    const event = gatewayEvent(operation, fullAccess(account), {
      ...request,
      body: changes[operation.id]?.(++calls) ?? body,
      headers: { 'X-Api-Key': key },
    });
    const { statusCode } = await handler(event, lambdaContext());
    if (statusCode !== operation.success.status)
      throw new Error(`${operation.id} was answered with ${statusCode}`);
  };
}

/** The average of one run. A first run does not count: it fills the caches of a warm Lambda. */
async function usageOf(run: () => Promise<unknown>): Promise<Usage> {
  await run();
  const ms: number[] = [];
  const { read, write } = await consumedBy(async () => {
    for (let i = 0; i < runs; i++) ms.push((await timed(run)).ms);
  });
  return { read: read / runs, write: write / runs, ms: median(ms), memoryMb };
}

const inWords = (value: number): string => value.toLocaleString('en');
const plain = (value: number): string => Number(value.toFixed(1)).toLocaleString('en');
const inDollars = (value: number): string => value.toFixed(2);
