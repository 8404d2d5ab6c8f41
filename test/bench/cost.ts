import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { handler as authorizerHandler } from '../../functions/authorizer.ts';
import { settingsOf } from '../../infra/stages.ts';
import { fileOf, type OperationId, operations } from '../../lib/contract/index.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import { contacts } from '../../lib/records/contacts.ts';
import { eventRegistrations } from '../../lib/records/eventRegistrations.ts';
import { listRecords } from '../../lib/records/list.ts';
import { orders } from '../../lib/records/orders.ts';
import type { Request } from '../support/api.ts';
import { likeTheRealOne } from '../support/contention.ts';
import { authorizerEvent, fullAccess, gatewayEvent, lambdaContext } from '../support/events.ts';
import { givenAccount, givenKey } from '../support/given.ts';
import type { StackProcess } from '../support/stackProcess.ts';
import { consumedBy } from './consumed.ts';
import { date, region, requestDollars, type Usage } from './dollars.ts';
import { contactAt, givenManyContacts } from './manyContacts.ts';
import type { Report } from './report.ts';
import { inOnePartition, skipScan } from './skipScan.ts';
import { median, timed } from './statistics.ts';

/** What every call to the database takes on AWS, within a region. */
const databaseMs = 5;

/** Of a key that sends a request a second, the authorizer is asked for one in so many: once in the time of its cache. */
const cachedRequests = 60;

const runs = 30;
const deepRuns = 3;

const { memoryMb } = settingsOf('prod') as { memoryMb: number };

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

/** Dollars for a million calls of each operation, from what its own handler is seen to consume and to take. */
export async function cost({ folder, ready }: StackProcess): Promise<Report> {
  // One page more than the deepest offset.
  const account = givenAccount();
  await givenManyContacts(account, 100_100);
  const partition = inOnePartition(folder, account);
  const asked = await requestsFor(account, ready.account);
  const { text: key } = await givenKey(account);
  const undo = likeTheRealOne({ latencyMs: databaseMs, conflicts: false });
  const loud = process.stdout.write;
  // The log of the handlers.
  process.stdout.write = () => true;
  try {
    const authorizer = await usageOf(() => authorizerHandler(authorizerEvent({ 'X-Api-Key': [key] })));
    const usages: [name: string, usage: Usage][] = [];
    for (const operation of operations)
      for (const { note = '', account, ...request } of asked[operation.id])
        usages.push([
          `${operation.id}${note}`,
          await usageOf(await callOf(operation, account, key, request)),
        ]);
    for (const offset of [1000, 100_000]) {
      const scan = () => skipScan(partition, { limit: 25, offset });
      usages.push([
        `skip-scan, offset ${inWords(offset)}`,
        await usageOf(scan, offset > 1000 ? deepRuns : runs),
      ]);
    }
    return {
      title: 'Dollars for a million calls',
      columns: ['Call', 'Read units', 'Write units', 'Lambda ms', 'Authorizer cached', 'Not cached'],
      rows: usages.map(([name, usage]) => [
        name,
        plain(usage.read),
        plain(usage.write),
        Math.ceil(usage.ms),
        inDollars(requestDollars(usage, authorizer, 1 / cachedRequests)),
        inDollars(requestDollars(usage, authorizer, 1)),
      ]),
      notes: [
        `List prices of ${region}, ${date}: REST API, Lambda (arm64, ${memoryMb} MB), DynamoDB on demand; without data transfer, logs, ` +
          `traces and storage. Each call to the database was given ${databaseMs} ms more than it takes here. Cached: a key that sends a ` +
          'request a second.',
      ],
      raw: { databaseMs, cachedRequests, memoryMb, authorizer, usages: Object.fromEntries(usages) },
    };
  } finally {
    process.stdout.write = loud;
    undo();
  }
}

interface Asked extends Request {
  /** Whose records it is about. */
  account: string;
  note?: string;
}

/** What is asked of each operation: of contacts in the account that has many, of the others in the demo account. */
async function requestsFor(account: string, demo: string): Promise<Record<OperationId, Asked[]>> {
  const page = { limit: 1, offset: 0 };
  const idIn = async (list: Promise<{ data: { id: string }[] }>) => (await list).data[0]?.id as string;
  const contactId = await idIn(listRecords(contacts, account, page));
  const orderId = await idIn(listRecords(orders, demo, page));
  const registrationId = await idIn(listRecords(eventRegistrations, demo, page));
  const { external_id: _, ...body } = contactAt(0);
  return {
    listContacts: [
      { account },
      ...[1000, 100_000].map((offset) => ({
        account,
        query: { offset },
        note: `, offset ${inWords(offset)}`,
      })),
    ],
    createContact: [{ account, body }],
    getContact: [{ account, params: { contactId } }],
    updateContact: [{ account, params: { contactId } }],
    listOrders: [{ account: demo }],
    getOrder: [{ account: demo, params: { orderId } }],
    listEventRegistrations: [{ account: demo }],
    getEventRegistration: [{ account: demo, params: { registrationId } }],
    getMe: [{ account }],
  };
}

/** One call of an operation's handler. A change is another one each time: one that changes nothing writes nothing. */
async function callOf(operation: Operation, account: string, key: string, request: Request) {
  const { handler } = (await import(`../../${fileOf(operation)}`)) as { handler: Handler };
  let calls = 0;
  return async () => {
    const body = operation.id === 'updateContact' ? { note: `changed ${++calls} times` } : request.body;
    const event = gatewayEvent(operation, fullAccess(account), {
      ...request,
      body,
      headers: { 'X-Api-Key': key },
    });
    const { statusCode } = await handler(event, lambdaContext());
    if (statusCode !== operation.success.status)
      throw new Error(`${operation.id} was answered with ${statusCode}`);
  };
}

/** What one run takes in the mean, after one that does not count: it finds out what a warm Lambda knows. */
async function usageOf(run: () => Promise<unknown>, times = runs): Promise<Usage> {
  await run();
  const ms: number[] = [];
  const { read, write } = await consumedBy(async () => {
    for (let i = 0; i < times; i++) ms.push((await timed(run)).ms);
  });
  return { read: read / times, write: write / times, ms: median(ms), memoryMb };
}

const inWords = (value: number): string => value.toLocaleString('en');
const plain = (value: number): string => Number(value.toFixed(1)).toLocaleString('en');
const inDollars = (value: number): string => value.toFixed(2);
