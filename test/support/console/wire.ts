import { expect, inject } from 'vitest';
import type { ConsoleOperation } from '../../../lib/contract/console/consoleOperation.ts';
import type { Reply, Request } from '../http/api.ts';
import { pathOf } from '../http/pathOf.ts';
import { type RawRequest, sendRaw } from '../http/rawHttp.ts';
import { checkConsoleReply } from './console.ts';

const consoleUrl = inject('consoleUrl');

/** The headers with which the console's page sends a request. */
export const pageHeaders = (cookie: string): string[] => [
  ...['Sec-Fetch-Site', 'same-origin'],
  ...['Cookie', `__Host-console=${cookie}`],
];

/** Sends a request as it is, through the gateway, and checks its answer. */
export async function sendToConsole(
  operation: ConsoleOperation,
  request: RawRequest,
): Promise<Reply<unknown>> {
  const reply = await sendRaw(request, consoleUrl);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
  checkConsoleReply(operation, reply);
  return reply;
}

const searchOf = (query: Request['query']): string =>
  query === undefined
    ? ''
    : `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/** A valid request as it is sent, with changes. Its own headers replace those of the same name. */
export function wireOf(
  operation: ConsoleOperation,
  valid: Request,
  cookie: string,
  { headers = [], ...change }: Partial<RawRequest> = {},
): RawRequest {
  const usual = [
    ...pageHeaders(cookie),
    ...Object.entries(valid.headers ?? {}).flat(),
    ...(valid.body === undefined && change.body === undefined ? [] : ['Content-Type', 'application/json']),
  ];
  const given = new Set(headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()));
  const kept = usual.flatMap((name, i) =>
    i % 2 === 0 && !given.has(name.toLowerCase()) ? [name, usual[i + 1] as string] : [],
  );
  return {
    method: operation.method,
    path: pathOf(operation, valid.params) + searchOf(valid.query),
    ...(valid.body === undefined ? {} : { body: JSON.stringify(valid.body) }),
    ...change,
    headers: [...kept, ...headers],
  };
}
