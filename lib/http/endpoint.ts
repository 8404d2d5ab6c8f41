import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { noneMayMatch, nothingToMatch, preconditionFailed } from '../apiError.ts';
import type { Answer, Body, Operation, Params, Query } from '../contract/operation.ts';
import { type IdempotentRequest, once } from '../dynamodb/idempotency.ts';
import type { Access } from '../keys/access.ts';
import { caller } from './caller.ts';
import { commonHeaders } from './commonHeaders.ts';
import type { CreatedAnswer } from './createdAnswer.ts';
import { entityTag, isMatch } from './entityTags.ts';
import { errorAnswer } from './errorAnswer.ts';
import type { ApiEvent, Caller, Input, Middleware, RequestHeaders } from './event.ts';
import { apiKeysOf } from './headers.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { jsonBody } from './jsonBody.ts';
import { parseInput } from './parseInput.ts';
import type { ReplayedAnswer } from './replayed.ts';
import { requestHeaders } from './requestHeaders.ts';
import { requestLog } from './requestLog.ts';
import { requireScope } from './requireScope.ts';

/** The input of an operation's function: the account, the validated request, and the deadline. */
export interface Call<O extends Operation> {
  account: string;
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** Epoch milliseconds. An effect that has not taken place by then must not take place any more. */
  deadline: number;
  /** The key of the request, and what it may do beyond this operation. */
  keyId: string;
  access: Access;
  /** The text of the key, for getMe alone. */
  apiKey: string;
  /** Identifies the request, when the client sent an Idempotency-Key: so a repetition has one effect. */
  once: IdempotentRequest | undefined;
  /**
   * Must be called with the version that a write is about to replace, or `undefined` when there is no record.
   * @throws ApiError 412 when the client's If-Match or If-None-Match excludes that
   */
  permit(version: number | undefined): void;
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Reserved from the Lambda's time, so that a slow request ends with our answer and not with Lambda's timeout. */
const reserveMs = 1000;

function outOfTime(): never {
  throw new Error('The operation did not finish within its time');
}

/**
 * The Lambda of an operation: the middlewares in the order of a request, then `run`. An error passes them from the last to the
 * first.
 */
export function endpoint<O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<Answer<O> | ReplayedAnswer<Answer<O>> | CreatedAnswer<Answer<O>>>,
): Handler {
  const steps: Middleware[] = [
    requestLog(operation),
    commonHeaders(),
    httpErrorHandler({ logger: false }) as Middleware,
    errorAnswer(operation),
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
  const { idempotencyKey, ifMatch, ifNoneMatch } = event.requestHeaders as RequestHeaders;
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
    permit: (version) => {
      if (version === undefined) {
        if (ifMatch) throw nothingToMatch();
        return;
      }
      if (ifMatch && !isMatch(ifMatch, version, 'strong')) throw preconditionFailed(entityTag(version));
      if (ifNoneMatch && isMatch(ifNoneMatch, version, 'weak')) throw noneMayMatch(entityTag(version));
    },
  };
}
