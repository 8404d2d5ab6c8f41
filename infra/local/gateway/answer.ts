import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { RestApi } from './model.ts';

/** What goes back to the client. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
}

/** The statuses that the types of answer have where the template does not say otherwise. */
const statuses: Record<string, number> = {
  ACCESS_DENIED: 403,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  DEFAULT_4XX: 400,
  // What API Gateway says when a Lambda fails or its answer makes no sense; no other type stands for it.
  DEFAULT_5XX: 502,
  INTEGRATION_TIMEOUT: 504,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  UNAUTHORIZED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** An answer of the gateway itself, as the template phrases it; a type it does not phrase falls back to the default of its class. */
export function gatewayAnswer({ answers }: RestApi, type: string, requestId: string): Answer {
  const defaultStatus = statuses[type] as number;
  const template = answers.get(type) ?? answers.get(defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const headers = Object.entries(template?.headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : requestId,
  ]);
  return {
    status: template?.status ?? defaultStatus,
    headers: { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
    body: template?.body ?? '',
  };
}

/** The most that a Lambda may answer. */
const resultBytesMax = 6_291_556;

interface ProxyResult {
  statusCode?: unknown;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  body?: unknown;
  isBase64Encoded?: unknown;
}

/**
 * The answer that a Lambda's result stands for; undefined when it is none that API Gateway could read.
 * @throws Error when it has headers that cannot be sent
 */
export function proxyAnswer(result: string): Answer | undefined {
  if (Buffer.byteLength(result) > resultBytesMax) return undefined;
  const value = JSON.parse(result) as ProxyResult | null;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = value ?? {};
  if (!isStatus(Number(statusCode))) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  const single = Object.entries(headers ?? {}).map(([name, one]) => [name, String(one)]);
  const multi = Object.entries(multiValueHeaders ?? {}).map(([name, many]) => [name, many.map(String)]);
  for (const [name, value] of [...single, ...multi] as [string, string | string[]][]) {
    validateHeaderName(name);
    for (const one of [value].flat()) validateHeaderValue(name, one);
  }
  return {
    status: Number(statusCode),
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries([...single, ...multi]) },
    body: isBase64Encoded === true ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}

/** Of an answer that is the last for its request: a client waits for more after one below 200. */
const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status < 600;

export function send(response: ServerResponse, { status, headers, body }: Answer, requestId: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'x-amzn-RequestId': requestId, 'Content-Length': bytes.length });
  response.end(bytes);
}
