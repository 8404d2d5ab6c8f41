import { gunzipSync } from 'node:zlib';
import type { FailedRequest } from '../../contract/console/usage.ts';
import { isAccount } from '../../values/account.ts';
import { isObject, parsed } from '../../values/json.ts';
import type { Routes } from './routes.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html */
export interface LogsEvent {
  awslogs: { data: string };
}

interface Payload {
  /** CONTROL_MESSAGE when CloudWatch Logs only tries whether the function can be reached. */
  messageType: string;
  logStream: string;
  logEvents: { id: string; message: string }[];
}

/** A request of a key, by one of the two log lines about it. */
export interface RequestLine {
  account: string;
  key: string;
  at: number;
  operation: string;
  method: string;
  /** Has `{name}` for a parameter. */
  path: string;
  status: number;
  requestId: string;
}

/** A line of the access log: each request of a key has one. */
export interface AccessLine extends RequestLine {
  /** The time from the request to the answer. */
  ms: number;
  secret: string;
}

/** A line of a function about a request that failed. */
export interface FailureLine extends RequestLine {
  message: string | undefined;
  missingScope?: string | undefined;
  problems: FailedRequest['problems'];
}

/** A line of the authorizer about a request whose key has ended: the only line about this request that names the key. */
export type RefusedLine = FailureLine & Pick<AccessLine, 'ms'>;

export interface Batch {
  /** The ids of all lines: the same when the batch comes again. */
  ids: string[];
  stream: string;
  access: AccessLine[];
  failures: FailureLine[];
  refused: RefusedLine[];
  /** Lines that are not as our log writes them. */
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

/** All values of the access log are texts. */
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

/** A client can choose the request id, and only one that says nothing is kept. */
const ownIdShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const extendedIdShape = /^[A-Za-z0-9+/=_-]{1,64}$/;

/** Times beyond these come from no log. */
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

/** A time that is missing in the log counts as none. */
const wholeMs = (text: unknown): number => {
  const ms = Number(text);
  return isWhole(ms) && ms > 0 ? ms : 0;
};
