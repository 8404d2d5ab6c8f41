import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { fileOf, type OperationId, operations } from '../../lib/contract/index.ts';
import { noteContention } from '../../lib/records/commitQueue/queue.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { givenAccount, givenKey } from '../support/data/given.ts';
import { everythingOf } from '../support/data/stored.ts';
import { expectOneEffect } from '../support/faults/everyFault.ts';
import { useFaultyDatabase } from '../support/faults/faults.ts';
import type { Request } from '../support/http/api.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../support/http/events.ts';
import { validRequests } from '../support/http/requests.ts';
import { asFunction } from '../support/permissions/asFunction.ts';

// At each call to the database that a Lambda makes, every fault; then the client sends its request again.

const database = useFaultyDatabase();

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

/** A way to use an operation: the request that every suite sends, or one that goes where that one never comes. */
interface Case {
  name: string;
  id: OperationId;
  change?: (valid: Request) => Request;
  before?: (account: string) => void;
  /** The first answer, when it is not the usual one. */
  status?: number;
}

const cases: Case[] = [
  ...operations.map(({ id }) => ({ name: id, id })),
  {
    name: 'createContact with an external id',
    id: 'createContact',
    change: ({ body }) => ({ body: { ...(body as object), external_id: 'mine' } }),
  },
  {
    name: 'createContact where others create, through the commit queue',
    id: 'createContact',
    before: (account) => noteContention({ account, type: 'contact' }),
  },
  {
    name: 'updateContact of an external id, which moves in a transaction',
    id: 'updateContact',
    change: ({ params = {} }) => ({ params, body: { external_id: 'moved' } }),
  },
  {
    name: 'upsertContact of a new one',
    id: 'upsertContact',
    change: ({ body }) => ({ params: { externalId: 'new' }, body }),
    status: 201,
  },
  {
    name: 'upsertContact of a new one where others create, through the commit queue',
    id: 'upsertContact',
    change: ({ body }) => ({ params: { externalId: 'new' }, body }),
    before: (account) => noteContention({ account, type: 'contact' }),
    status: 201,
  },
];

/** A request in an account of its own, sent as a client does that means to repeat it when it hears nothing. */
async function givenRequest({ id, change = (valid) => valid, before = () => {} }: Case) {
  const operation = operationOf(id);
  const file = (await import(`../../${fileOf(operation)}`)) as { handler: Handler };
  const handler = asFunction(id, file.handler);
  const account = givenAccount();
  const valid = change(await validRequests[id](account));
  const headers = {
    'X-Api-Key': (await givenKey(account)).text,
    ...(operation.requestHeaders?.includes('Idempotency-Key') ? { 'Idempotency-Key': 'retry' } : {}),
  };
  const send = (ms: number) => {
    before(account);
    return handler(gatewayEvent(operation, fullAccess(account), { ...valid, headers }), lambdaContext(ms));
  };
  return { account, send };
}

const operationOf = (id: OperationId): Operation =>
  operations.find((operation) => operation.id === id) as Operation;

/**
 * Repeated, these do a thing once more and answer what came of it: a test is sent again, what was deleted is gone, and what a
 * batch created is there.
 */
const answersAgain = ({ id, method, batch }: Operation): boolean =>
  id === 'testWebhookSubscription' || method === 'DELETE' || batch !== undefined;

/** An answer without the time of the next poll, which is that of the request. */
const withoutNow = (body: string): string => body.replace(/"next_updated_since":"[^"]*"/, '');

/** Other statuses that a repetition may have: a deleted record is gone, and a test whose process died still counts as running. */
const repeatedOtherwise = ({ id, method }: Operation): number[] =>
  method === 'DELETE' ? [404] : id === 'testWebhookSubscription' ? [400] : [];

test.concurrent.each(cases.map((one) => [one.name, one] as const))(
  '%s: with any fault of a call, the answer is in time and as in the contract, and a retry has one effect',
  async (_, one) => {
    const operation = operationOf(one.id);
    await expectOneEffect(database, {
      given: () => givenRequest(one),
      status: one.status ?? operation.success.status,
      repeated: [operation.success.status, ...repeatedOtherwise(operation)],
      kept: answersAgain(operation) ? undefined : withoutNow,
      stateOf: everythingOf,
      check: ({ state, again, label }) => {
        // What was acknowledged is there.
        const { secret: _, ...shown } = JSON.parse(again.body || '{}');
        if ('version' in shown) expect(JSON.stringify(state), label).toContain(JSON.stringify(shown));
      },
    });
  },
);
