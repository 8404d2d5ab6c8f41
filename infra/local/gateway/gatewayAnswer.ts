import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { authorizerVariable, type RestApi } from './model.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
}

/** The default statuses of gateway responses. The template may override them. */
const statuses: Record<string, number> = {
  ACCESS_DENIED: 403,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  AUTHORIZER_FAILURE: 500,
  DEFAULT_4XX: 400,
  // API Gateway returns this if a Lambda fails or returns no valid result.
  DEFAULT_5XX: 502,
  INTEGRATION_TIMEOUT: 504,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  UNAUTHORIZED: 401,
};

/**
 * Returns a gateway response as the template defines it. A type that the template does not define uses the default of its class.
 * @param context the authorizer's context
 */
export function gatewayAnswer(
  { answers }: RestApi,
  type: string,
  requestId: string,
  context: Record<string, string> = {},
): Answer {
  const defaultStatus = statuses[type] as number;
  const template = answers.get(type) ?? answers.get(defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const headers = Object.entries(template?.headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : requestId,
  ]);
  return {
    status: template?.status ?? defaultStatus,
    headers: { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
    body: template?.body.replace(authorizerVariable, (_, name) => context[name] ?? '') ?? '',
  };
}

/** Lambda's size limit for a result. */
const resultBytesMax = 6_291_556;

interface ProxyResult {
  statusCode?: unknown;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  body?: unknown;
  isBase64Encoded?: unknown;
}

/**
 * Converts the result of a Lambda proxy integration.
 * @returns undefined if API Gateway could not read the result
 * @throws Error if a header is invalid
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

/** Returns whether a status is final. After a status below 200, a client waits for another response. */
const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status < 600;

/** A 204 must not have Content-Length. In a 304, it is the length of the content that is not sent (RFC 9110 § 8.6). */
const hasNoContent = (status: number): boolean => status === 204 || status === 304;

const ofContent = ['content-length', 'content-type'];

export function send(response: ServerResponse, { status, headers, body }: Answer, requestId: string): void {
  const own = { ...headers, 'x-amzn-RequestId': requestId };
  if (hasNoContent(status)) {
    const kept = Object.entries(own).filter(([name]) => !ofContent.includes(name.toLowerCase()));
    response.writeHead(status, Object.fromEntries(kept)).end();
    return;
  }
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...own, 'Content-Length': bytes.length }).end(bytes);
}
