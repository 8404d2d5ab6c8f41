import { expect, inject } from 'vitest';
import { answerHeaders } from '../../../lib/contract/answerHeaders.ts';
import { type ResponseBody, responseOf } from '../../../lib/contract/responses.ts';
import { type ErrorBody, type ErrorStatus, errorNames } from '../../../lib/errors/apiError.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { expectDocumented } from '../documents/openapi.ts';
import { pathOf } from './pathOf.ts';

export interface Request {
  key?: string | undefined;
  params?: Record<string, string>;
  /** A list is a parameter that is given several times. */
  query?: Record<string, string | number | readonly string[]>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export const apiUrl = inject('apiUrl');

/** Calls an operation over HTTP, and checks its answer against the contract. */
export async function call<O extends Operation>(
  operation: O,
  { key, params, query = {}, body, headers = {} }: Request = {},
): Promise<Reply<ResponseBody<O> & ErrorBody>> {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  const url = `${apiUrl}${pathOf(operation, params)}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const response = await fetch(url, {
    method: operation.method,
    headers: {
      ...(key === undefined ? {} : { 'X-Api-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const reply = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? '' : JSON.parse(text),
  };
  checkReply(operation, reply);
  return reply as Reply<ResponseBody<O> & ErrorBody>;
}

/** Checks that hold for every answer. */
export function checkReply(operation: Operation, reply: Reply<unknown>): void {
  const { status, headers, body } = reply;
  expectDocumented(operation, reply);
  checkHeaders(headers);
  // API Gateway may add one to an answer without content; test/infra/local/gateway/gateway.test.ts checks the local stack.
  if (status !== 204 && status !== 304) expect(headers.get('Content-Type')).toBe('application/json');
  const { success } = operation;
  if (status === success.status || (success.created && status === 201)) {
    // Parsing adds missing fields and sorts them, so an answer with a missing field or another order is not equal.
    const schema = responseOf(operation);
    const parsed = schema ? JSON.stringify(schema().parse(body)) : '""';
    expect(parsed).toBe(JSON.stringify(body));
    for (const name of operation.success.headers ?? []) expect(headers.get(name), name).toBeTruthy();
  } else if (status === 204) {
    expect(operation.success.bodyScope).toBeDefined();
    expect(body).toBe('');
    // An address holds the id, which is a part of the body.
    for (const name of operation.success.headers ?? [])
      if (name === 'Location') expect(headers.get(name), name).toBeNull();
      else expect(headers.get(name), name).toBeTruthy();
  } else if (status === 304) {
    expect(operation.requestHeaders).toContain('If-None-Match');
    expect(body).toBe('');
    expect(headers.get('ETag')).toBeTruthy();
  } else checkError(status, body);
}

export function checkHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(answerHeaders)) expect(headers.get(name), name).toBe(value);
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
}

export function checkError(status: number, body: unknown): void {
  expect(Object.keys(body as object).sort()).toEqual(['error', 'message']);
  const { error, message } = body as ErrorBody;
  expect(error).toBe(errorNames[status as ErrorStatus]);
  expect(message).toBeTypeOf('string');
  expect(message).not.toBe('');
  // A terminal or a page that prints the message must not change by what a client has sent.
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
}
