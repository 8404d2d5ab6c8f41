import type { IncomingHttpHeaders } from 'node:http';
import { StartError } from '../process/startError.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import type { Resource } from '../template/template.ts';

interface LoggedRequest {
  id: string;
  extendedId: string;
  receivedAt: number;
  httpMethod: string;
  sourceIp: string;
}

export interface AccessRecord {
  request: LoggedRequest;
  /** Undefined for a request without a route. */
  resourcePath?: string;
  authorizer?: Record<string, string>;
  /** The status of the function's response, and the time it took. */
  integration?: { status: number | undefined; ms: number };
  /** The type of the gateway response, if the gateway itself responded. */
  gatewayAnswer?: string;
  status: number;
  bytes: number;
  ms: number;
}

export interface AccessLog {
  group: string;
  lineOf(record: AccessRecord): string;
}

const whole = (ms: number | undefined) => (ms === undefined ? undefined : Math.round(ms));

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html */
const variables: Record<string, (record: AccessRecord) => string | number | undefined> = {
  requestId: ({ request }) => request.id,
  extendedRequestId: ({ request }) => request.extendedId,
  requestTime: ({ request }) => clfTime(new Date(request.receivedAt)),
  requestTimeEpoch: ({ request }) => request.receivedAt,
  'identity.sourceIp': ({ request }) => request.sourceIp,
  // The local stack speaks no TLS.
  tlsVersion: () => undefined,
  httpMethod: ({ request }) => request.httpMethod,
  resourcePath: ({ resourcePath }) => resourcePath,
  status: ({ status }) => status,
  responseLength: ({ bytes }) => bytes,
  responseLatency: ({ ms }) => whole(ms),
  'integration.latency': ({ integration }) => whole(integration?.ms),
  'integration.status': ({ integration }) => integration?.status,
  'error.responseType': ({ gatewayAnswer }) => gatewayAnswer,
  xrayTraceId: () => undefined,
  'authorizer.latency': () => undefined,
  'authorizer.status': ({ authorizer }) => (authorizer ? 200 : undefined),
  'authorizer.requestId': () => undefined,
};

const ofAuthorizer = /^authorizer\.(\w+)$/;

/**
 * Reads the access log of a stage; undefined if it has none.
 * @throws StartError if its format contains a variable that the local stack does not know
 */
export function readAccessLog({ id, properties }: Resource): AccessLog | undefined {
  const setting = properties.AccessLogSetting as JsonObject | undefined;
  if (!setting) return undefined;
  assertKnownProperties(`The access log of ${id}`, setting, ['DestinationArn', 'Format']);
  // Every second part is the name of a variable.
  const parts = String(setting.Format).split(/\$context\.([A-Za-z_.]*\w)/);
  const texts = parts.map((part, i) => (i % 2 === 0 ? () => part : variableOf(id, part)));
  return {
    group: groupIn(id, String(setting.DestinationArn)),
    lineOf: (record) => texts.map((text) => text(record) ?? '-').join(''),
  };
}

function groupIn(stage: string, destination: string): string {
  const [, group] = /:log-group:(\w+)$/.exec(destination) ?? [];
  if (group === undefined)
    throw new StartError(
      `The access log of ${stage} goes to ${destination}: the local stack supports only log groups.`,
    );
  return group;
}

function variableOf(stage: string, name: string): (record: AccessRecord) => string | number | undefined {
  const variable = variables[name];
  if (variable) return variable;
  const [, field] = ofAuthorizer.exec(name) ?? [];
  if (field === undefined)
    throw new StartError(
      `The access log of ${stage} has the variable $context.${name}, which the local stack does not know.`,
    );
  return ({ authorizer }) => authorizer?.[field];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time in the Common Log Format: 01/Mar/2026:09:30:00 +0000 */
export function clfTime(time: Date): string {
  const [date, clock] = time.toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-') as [string, string, string];
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

export interface AnsweredRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  status: number;
  durationMs: number;
}

/** Returns the line that the local stack prints for a request. It names the likely mistake if the response may not say it. */
export function requestLine({ method, path, headers, status, durationMs }: AnsweredRequest): string {
  const line = `${method} ${path} ${status} ${durationMs.toFixed(0)} ms`;
  const isElsewhere =
    status === 401 && headers.authorization !== undefined && headers['x-api-key'] === undefined;
  return isElsewhere ? `${line}: a key is read from X-Api-Key, and not from Authorization` : line;
}
