import { gunzipSync } from 'node:zlib';
import type { FailedRequest } from '../../contract/console/consoleUsage.ts';
import { isAccount } from '../../schemas/account.ts';
import { isObject, parsed } from '../../schemas/json.ts';
import type { Routes } from './routes.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html */
export interface LogsEvent {
  awslogs: { data: string };
}

interface Payload {
  /** CONTROL_MESSAGE if CloudWatch Logs only tests whether it can reach the function. */
  messageType: string;
  logStream: string;
  logEvents: { id: string; message: string }[];
}

/** A request of a key, from one of the two log lines about it. */
export interface RequestLine {
  account: string;
  key: string;
  at: number;
  operation: string;
  method: string;
  /** Contains `{name}` for each parameter. */
  path: string;
  status: number;
  requestId: string;
}

/** A line of the access log. Each request of a key has one. */
export interface AccessLine extends RequestLine {
  /** The time from the request to the response. */
  ms: number;
  secret: string;
}

export interface FailureLine extends RequestLine {
  message: string | undefined;
  missingScope?: string | undefined;
  problems: FailedRequest['problems'];
}

/** The authorizer's log line about a request whose key has ended. It is the only line about this request that names the key. */
export type RefusedLine = FailureLine & Pick<AccessLine, 'ms'>;

export interface Batch {
  /** The ids of all lines. They are the same if the batch is repeated. */
  ids: string[];
  stream: string;
  access: AccessLine[];
  failures: FailureLine[];
  refused: RefusedLine[];
  /** How many lines are not in the format of our log. */
  unreadable: number;
}

type Line = Record<string, unknown>;

export function readBatch({ awslogs }: LogsEvent, routes: Routes): Batch {
  const payload = JSON.parse(gunzipSync(Buffer.from(awslogs.data, 'base64')).toString()) as Payload;
  const batch: Batch = {
    ids: [],
    stream: payload.logStream,
    access: [],
    failures: [],
    refused: [],
    unreadable: 0,
  };
  if (payload.messageType !== 'DATA_MESSAGE') return batch;
  for (const { id, message } of payload.logEvents) {
    batch.ids.push(id);
    const line = parsed(message);
    const read = isObject(line) ? requestOf(line as Line, routes) : undefined;
    if (!read) batch.unreadable += 1;
    else if (!('problems' in read)) batch.access.push(read);
    else if (isRefused(read)) batch.refused.push(read);
    else batch.failures.push(read);
  }
  return batch;
}

function requestOf(line: Line, routes: Routes): AccessLine | FailureLine | RefusedLine | undefined {
  if (line.message === 'authorizer') return refusedLine(line, routes);
  return line.message === 'request' ? failureLine(line, routes) : accessLine(line, routes);
}

/** Reads a line of the access log, where all values are strings. */
function accessLine(line: Line, routes: Routes): AccessLine | undefined {
  const { method, resource: path, secret } = line;
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  if (typeof secret !== 'string' || !secretShape.test(secret)) return undefined;
  const common = commonOf(line, Number(line.time_ms), Number(line.status));
  return common && { ...common, ...routes.named(method, path), ms: wholeMs(line.duration_ms), secret };
}

const isRefused = (line: FailureLine): line is RefusedLine => 'ms' in line;

function refusedLine(line: Line, routes: Routes): RefusedLine | undefined {
  const common = commonOf(line, line.time_ms, line.status);
  if (!common) return undefined;
  const route = routes.named(String(line.method), String(line.resource));
  return { ...common, ...route, ms: wholeMs(line.duration_ms), ...reasonIn(line) };
}

function failureLine(line: Line, routes: Routes): FailureLine | undefined {
  const route = routes.of(String(line.operation));
  const common = commonOf(line, line.time_ms, line.status);
  return route && common && { ...common, ...route, ...reasonIn(line) };
}

const reasonIn = (line: Line): Pick<FailureLine, 'message' | 'missingScope' | 'problems'> => ({
  message: typeof line.error_message === 'string' ? line.error_message : undefined,
  missingScope: typeof line.missing_scope === 'string' ? line.missing_scope : undefined,
  problems: (line.problems ?? []) as FailedRequest['problems'],
});

const keyShape = /^key_[0-9a-z]{1,64}$/;
const secretShape = /^[0-9a-f]{8}$/;

/** Matches the ids of API Gateway. A client can choose the request id, so only ids that reveal nothing are stored. */
const ownIdShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const extendedIdShape = /^[A-Za-z0-9+/=_-]{1,64}$/;

/** No log contains times outside of this range. */
const [earliest, latest] = [Date.UTC(2020), Date.UTC(9000)];

function commonOf(
  { account, key_id: key, request_id, extended_request_id }: Line,
  at: unknown,
  status: unknown,
): Pick<RequestLine, 'account' | 'key' | 'at' | 'status' | 'requestId'> | undefined {
  const id = [request_id, extended_request_id].map(String);
  const requestId = id.find((one, i) => (i === 0 ? ownIdShape : extendedIdShape).test(one));
  if (!isAccount(account) || typeof key !== 'string' || !keyShape.test(key)) return undefined;
  if (!isWhole(at) || at < earliest || at > latest) return undefined;
  if (!isWhole(status) || status < 100 || status > 599 || requestId === undefined) return undefined;
  return { account, key, at, status, requestId };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** Reads a duration. A duration that is missing in the log counts as 0. */
const wholeMs = (text: unknown): number => {
  const ms = Number(text);
  return isWhole(ms) && ms > 0 ? ms : 0;
};
