import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { preconditionFailed } from '../apiError.ts';
import type { Answer, Body, Operation, Params, Query } from '../contract/operation.ts';
import { type Once, once } from '../dynamodb/idempotency.ts';
import type { Access } from '../keys/access.ts';
import { caller } from './caller.ts';
import { commonHeaders } from './commonHeaders.ts';
import { entityTag, isMatch } from './entityTags.ts';
import { errorAnswer } from './errorAnswer.ts';
import type { ApiEvent, Caller, Input, Middleware, RequestHeaders } from './event.ts';
import { apiKeysOf } from './headers.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { jsonBody } from './jsonBody.ts';
import { parseInput } from './parseInput.ts';
import type { Replayed } from './replayed.ts';
import { requestHeaders } from './requestHeaders.ts';
import { requestLog } from './requestLog.ts';
import { requireScope } from './requireScope.ts';

/** What an operation's function gets: whose data it is about, what is asked for, and until when it has to be answered. */
export interface Call<O extends Operation> {
  account: string;
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** Epoch milliseconds: what is not done by then must not be done at all. */
  deadline: number;
  /** The key of the request, and what it may do beyond this operation. */
  keyId: string;
  access: Access;
  /** The text of the key, for the one operation that is about it. */
  apiKey: string;
  /** What makes a repeated request have one effect, when the client asked for that. */
  once: Once | undefined;
  /** @throws ApiError 412 when the client asked for a change of another version than this */
  ifMatch(version: number): void;
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Kept back from the Lambda's time so that an answer of ours, and not the platform's kill, ends a slow request. */
const reserveMs = 1000;

function outOfTime(): never {
  throw new Error('The operation did not finish within its time');
}

/**
 * The Lambda of an operation: the middlewares in the order in which a request meets them, then `run`. On the way back, an
 * error meets them from the last to the first.
 */
export function endpoint<O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<Answer<O> | Replayed<Answer<O>>>,
): Handler {
  const steps: Middleware[] = [
    requestLog(operation),
    commonHeaders(),
    httpErrorHandler({ logger: false }) as Middleware,
    errorAnswer(),
    caller(),
    requireScope(operation.scope),
    ...(operation.body ? [jsonBody(operation)] : []),
    requestHeaders(operation),
    parseInput(operation),
    jsonAnswer(operation),
  ];
  return middy<ApiEvent>({ timeoutEarlyInMillis: reserveMs / 2, timeoutEarlyResponse: outOfTime })
    .use(steps)
    .handler(async (event: ApiEvent, context: Context) =>
      run(callOf(operation, event, context)),
    ) as unknown as Handler;
}

function callOf<O extends Operation>(operation: O, event: ApiEvent, context: Context): Call<O> {
  const [caller, input] = [event.caller as Caller, event.input as Input];
  const { idempotencyKey, ifMatch } = event.requestHeaders as RequestHeaders;
  return {
    account: caller.account,
    ...(input as Pick<Call<O>, 'params' | 'query' | 'body'>),
    keyId: caller.keyId,
    access: caller.access,
    deadline: Date.now() + context.getRemainingTimeInMillis() - reserveMs,
    apiKey: apiKeysOf(event.multiValueHeaders)[0] ?? '',
    once:
      idempotencyKey === undefined
        ? undefined
        : once(operation.id, idempotencyKey, { params: input.params, body: event.body }),
    ifMatch: (version) => {
      if (ifMatch && !isMatch(ifMatch, version, 'strong')) throw preconditionFailed(entityTag(version));
    },
  };
}
