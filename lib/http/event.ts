import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Access } from '../keys/access.ts';
import type { Heeded } from './heedHeaders.ts';

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

/** The event of API Gateway and, each added by the middleware of that name, what we know about the request by then. */
export type ApiEvent = APIGatewayProxyEvent & {
  caller?: Caller;
  /** What is wrong with the request, as far as it has been looked at. */
  problems?: string[];
  heeded?: Heeded;
  input?: Input;
};

/** A middleware of ours. Its hooks have names, because those are what a stack trace and a profiler show. */
export type Middleware = middy.MiddlewareObj<ApiEvent, APIGatewayProxyResult>;
export type ApiRequest = middy.Request<ApiEvent, APIGatewayProxyResult>;
