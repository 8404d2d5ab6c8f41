import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type IdempotentRequest, once } from '../dynamodb/idempotency.ts';
import { noneMayMatch, nothingToMatch, preconditionFailed } from '../errors/apiError.ts';
import { type LogFields, log, setLogContext } from '../logs/log.ts';
import { timed } from '../logs/metrics.ts';
import type { BaseOperation, Body, Params, Query } from '../resources/operation.ts';
import { commonHeaders, errorAnswer, jsonAnswer } from './answers.ts';
import {
  type ApiEvent,
  type ApiRequest,
  entityTag,
  type Input,
  isTagMatch,
  type Middleware,
  type RequestHeaders,
} from './apiEvent.ts';
import { jsonBody } from './body.ts';
import { parseInput } from './parseInput.ts';
import { requestHeaders } from './requestHeaders.ts';

/** The input of the function of any operation: the validated request, and the deadline. */
export interface BaseCall<O extends BaseOperation> {
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** Epoch milliseconds. An effect that has not taken place by then must no longer take place. */
  deadline: number;
  /** Identifies the request if the client sent an Idempotency-Key, so that a repetition takes effect once. */
  once: IdempotentRequest | undefined;
  /**
   * Call this with the version that a write is about to replace, or `undefined` if there is no record.
   * @throws ApiError 412 if the client's If-Match or If-None-Match excludes that version
   */
  permit(version: number | undefined): void;
}

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Kept in reserve from the Lambda's time, so that a slow request ends with our response and not with Lambda's timeout. */
const reserveMs = 1000;

function outOfTime(): never {
  throw new Error('The operation did not finish within its time');
}

/**
 * Returns the Lambda handler of an operation. A request passes the middlewares in order and then reaches `run`. An error passes them in reverse.
 * @param guards decide whether the request may be made at all; they run before its input is read
 */
export function pipeline<O extends BaseOperation>(
  operation: O,
  guards: readonly Middleware[],
  run: (call: BaseCall<O>, event: ApiEvent) => Promise<unknown>,
): Handler {
  const steps: Middleware[] = [
    requestLog(operation),
    commonHeaders(),
    httpErrorHandler({ logger: false }) as Middleware,
    errorAnswer(operation),
    ...guards,
    ...(operation.body ? [jsonBody(operation)] : []),
    requestHeaders(operation),
    parseInput(operation),
    jsonAnswer(operation),
  ];
  return middy<ApiEvent>({ timeoutEarlyInMillis: reserveMs / 2, timeoutEarlyResponse: outOfTime })
    .use(steps)
    .handler(async (event: ApiEvent, context: Context) =>
      run(callOf(operation, event, context), event),
    ) as unknown as Handler;
}

function callOf<O extends BaseOperation>(operation: O, event: ApiEvent, context: Context): BaseCall<O> {
  const input = event.input as Input;
  const { idempotencyKey, ifMatch, ifNoneMatch } = event.requestHeaders as RequestHeaders;
  return {
    ...(input as Pick<BaseCall<O>, 'params' | 'query' | 'body'>),
    deadline: Date.now() + context.getRemainingTimeInMillis() - reserveMs,
    once:
      idempotencyKey === undefined
        ? undefined
        : once(operation.id, idempotencyKey, { params: input.params, body: event.body }),
    permit: (version) => {
      if (version === undefined) {
        if (ifMatch) throw nothingToMatch();
        return;
      }
      if (ifMatch && !isTagMatch(ifMatch, version, 'strong')) throw preconditionFailed(entityTag(version));
      if (ifNoneMatch && isTagMatch(ifNoneMatch, version, 'weak')) throw noneMayMatch(entityTag(version));
    },
  };
}

/**
 * Returns why and when a request of a key failed, for the console of its account. The fields contain nothing that the client sent, and are
 * empty if the request succeeded.
 */
function failureFields({ caller, kept, requestContext }: ApiEvent, status = 500): LogFields {
  if (!caller || status < 400) return {};
  const { message = null, problems = [], missingScope } = kept ?? {};
  return {
    time_ms: requestContext.requestTimeEpoch,
    ...(message === null ? {} : { error_message: message }),
    ...(problems.length > 0 ? { problems } : {}),
    ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
  };
}

/** Logs one line for each request, and adds its id to all other lines. */
const requestLog = ({ id }: BaseOperation): Middleware => {
  const started = new WeakMap<ApiRequest, number>();
  const finish = (request: ApiRequest) => {
    const status = request.response?.statusCode;
    const ms = performance.now() - (started.get(request) ?? 0);
    // The request itself may have started the session.
    log.info('request', {
      status,
      ...sessionFields(request.event),
      ...failureFields(request.event, status),
      ...timed(`${String(status)[0]}xx`, ms),
    });
  };
  return {
    before: function requestLogBefore(request) {
      started.set(request, performance.now());
      const { requestId, extendedRequestId } = request.event.requestContext ?? {};
      // The client can choose the first id through a header. The extended id always comes from the gateway.
      setLogContext({ operation: id, request_id: requestId, extended_request_id: extendedRequestId });
    },
    after: function requestLogAfter(request) {
      finish(request);
    },
    onError: function requestLogOnError(request) {
      finish(request);
    },
  };
};

export const sessionFields = ({ session }: ApiEvent): LogFields =>
  session ? { session_id: session.session_id, account: session.account } : {};
