import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent, Context } from 'aws-lambda';
import type { BaseOperation } from '../../../lib/resources/operation.ts';
import type { Request } from './api.ts';
import { pathOf } from './pathOf.ts';

/** The authorizer's context for a key with full access. */
export const fullAccess = (account: string) => ({
  account_id: account,
  key_id: 'key_test',
  access: 'full',
  scopes: 'none',
  expires_at: 'never',
});

/** An event as API Gateway makes it, for handlers that are called without a gateway. */
export function gatewayEvent(
  operation: BaseOperation,
  authorizer: unknown,
  { params, query, body, headers: more }: Request = {},
): APIGatewayProxyEvent {
  const path = pathOf(operation, params);
  const headers = {
    Host: 'api.example.com',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...more,
  };
  const values =
    query &&
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));
  const event = {
    resource: operation.path,
    path,
    httpMethod: operation.method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: values
      ? Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1)]))
      : null,
    multiValueQueryStringParameters: values ?? null,
    pathParameters: params ?? null,
    stageVariables: null,
    requestContext: {
      requestId: randomUUID(),
      requestTimeEpoch: Date.now(),
      domainName: 'api.example.com',
      path: `/v1${path}`,
      stage: 'v1',
      authorizer,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
  };
  return event as unknown as APIGatewayProxyEvent;
}

export function authorizerEvent(headers: Record<string, string[]>): APIGatewayRequestAuthorizerEvent {
  const event = {
    type: 'REQUEST',
    methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:abc123/v1/GET/contacts/con_1',
    httpMethod: 'GET',
    resource: '/contacts/{contactId}',
    multiValueHeaders: headers,
    requestContext: { requestId: randomUUID(), extendedRequestId: 'Zm9vYmFy=', requestTimeEpoch: Date.now() },
  };
  return event as unknown as APIGatewayRequestAuthorizerEvent;
}

/** The context of an invocation that has this much time. */
export function lambdaContext(timeMs = 10_000): Context {
  const end = Date.now() + timeMs;
  return { getRemainingTimeInMillis: () => end - Date.now() } as Context;
}
