import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Session } from '../console/sessions/items.ts';
import type { Kept, Problem } from '../errors/problem.ts';
import type { Access } from '../keys/access.ts';
import type { EntityTags } from './entityTags.ts';

/** The caller, from the authorizer's context. */
export interface Caller {
  account: string;
  keyId: string;
  access: Access;
}

/** The validated input of a request. */
export interface Input {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** The request headers that the operation reads, parsed. */
export interface RequestHeaders {
  ifMatch?: EntityTags;
  ifNoneMatch?: EntityTags;
  /** The SHA-256 of the Idempotency-Key. */
  idempotencyKey?: string;
}

/** The event of API Gateway, with a field for the result of each middleware. */
export type ApiEvent = APIGatewayProxyEvent & {
  caller?: Caller;
  /** The session of a request to the console. */
  session?: Session;
  /** The text of the session's cookie in the answer; `null` removes the cookie. */
  newCookie?: string | null;
  /** The problems of the request that have been found so far. */
  problems?: Problem[];
  /** What is kept of the error that the request was answered with. */
  kept?: Kept | undefined;
  requestHeaders?: RequestHeaders;
  input?: Input;
};

/** A middleware of ours. Its hooks have names, because a stack trace and a profiler show them. */
export type Middleware = middy.MiddlewareObj<ApiEvent, APIGatewayProxyResult>;
export type ApiRequest = middy.Request<ApiEvent, APIGatewayProxyResult>;
