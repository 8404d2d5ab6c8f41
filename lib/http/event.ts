import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Access } from '../keys/access.ts';
import type { EntityTags } from './entityTags.ts';

/** Who is calling, as the authorizer found out. */
export interface Caller {
  account: string;
  keyId: string;
  access: Access;
}

/** What a request asks for, once it has been found valid. */
export interface Input {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** What the client asked for by headers, of those that the operation reads. */
export interface RequestHeaders {
  ifMatch?: EntityTags;
  ifNoneMatch?: EntityTags;
  /** A name for the key that has a fixed length and tells nothing about it. */
  idempotencyKey?: string;
}

/** The event of API Gateway and, each added by the middleware of that name, what we know about the request by then. */
export type ApiEvent = APIGatewayProxyEvent & {
  caller?: Caller;
  /** What is wrong with the request, as far as it has been looked at. */
  problems?: string[];
  requestHeaders?: RequestHeaders;
  input?: Input;
};

/** A middleware of ours. Its hooks have names, because those are what a stack trace and a profiler show. */
export type Middleware = middy.MiddlewareObj<ApiEvent, APIGatewayProxyResult>;
export type ApiRequest = middy.Request<ApiEvent, APIGatewayProxyResult>;
