import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultHeaders } from './faultyCalls.ts';
import { type FaultKind, faultKinds } from './schedule.ts';

/** Longer than most calls, and shorter than the two seconds after which the SDK sends a call again. */
const lateMs = 700;

/** Does to a call what its headers ask for. */
export interface FaultServer {
  port: number;
  /** How many calls met each kind of fault. */
  counts: Record<FaultKind, number>;
  close(): void;
}

type ActivityEvent = (call: IncomingMessage, answer: ServerResponse) => Promise<void>;

const happenings: Record<FaultKind, ActivityEvent> = {
  fails: async (_, answer) => fail(answer, 500, 'InternalServerError'),
  'is throttled': async (_, answer) => fail(answer, 400, 'ThrottlingException'),
  'is late': async (call, answer) => {
    await sleep(lateMs);
    const { status, headers, body } = await forward(call);
    answer.writeHead(status, headers).end(body);
  },
  'loses its answer': async (call, answer) => {
    await forward(call);
    answer.destroy();
  },
  hangs: async () => {},
};

export async function openFaultServer(): Promise<FaultServer> {
  const counts = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as FaultServer['counts'];
  const server = createServer(async (call, answer) => {
    const kind = call.headers[faultHeaders.kind] as FaultKind;
    counts[kind] += 1;
    // The stack may be killed in the middle of a call.
    await happenings[kind](call, answer).catch(() => answer.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An error as the database and the queues answer it. */
function fail(answer: ServerResponse, status: number, type: string): void {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type });
  answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

/** Sends a call to where it was going, and reads the whole answer. */
async function forward(call: IncomingMessage) {
  const { method, url: path, headers } = call;
  const body = await buffer(call);
  const { host, port } = faultHeaders;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ method, path, headers, host: String(headers[host]), port: String(headers[port]) }, resolve)
    .once('error', reject)
    .end(body);
  const came = await promise;
  return { status: came.statusCode ?? 0, headers: came.headers, body: await buffer(came) };
}
