import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Random } from '../simulation/random.ts';
import { faultHeaders } from './faultyCalls.ts';

/** What happens to calls of the Lambdas to the database and to the queues. */
const faultKinds = ['fails', 'is throttled', 'loses its answer', 'hangs'] as const;
type FaultKind = (typeof faultKinds)[number];

/** A time, in epoch milliseconds, in which a share of the calls meets a fault. */
export interface FaultWindow {
  kind: FaultKind;
  from: number;
  to: number;
  share: number;
}

/** A window begins in each span of this length, and lasts half of it at most. */
const spanMs = 15_000;

/** Returns the windows of a load that lasts about `ms`: the kinds take turns, and the last tenth is without faults. */
export const windowsOf = (random: Random, ms: number): FaultWindow[] =>
  Array.from({ length: Math.ceil((0.9 * ms) / spanMs) }, (_, i) => {
    const from = Date.now() + i * spanMs + random.below(spanMs / 2);
    const to = from + spanMs / 10 + random.below(0.4 * spanMs);
    return {
      kind: faultKinds[i % faultKinds.length] as FaultKind,
      from,
      to,
      share: 0.05 + 0.3 * random.next(),
    };
  });

const happenings: Record<FaultKind, (call: IncomingMessage, answer: ServerResponse) => Promise<void>> = {
  fails: async (_, answer) => fail(answer, 500, 'InternalServerError'),
  'is throttled': async (_, answer) => fail(answer, 400, 'ThrottlingException'),
  'loses its answer': async (call, answer) => {
    await forward(call);
    answer.destroy();
  },
  hangs: async () => {},
};

/** Opens a server that does to a call what its headers ask for. */
export async function openFaultServer() {
  const server = createServer((call, answer) => {
    const kind = call.headers[faultHeaders.kind] as FaultKind;
    // The stack may be killed in the middle of a call.
    happenings[kind](call, answer).catch(() => answer.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers an error as the database and the queues do. */
function fail(answer: ServerResponse, status: number, type: string): void {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type });
  answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

/** Sends a call to where it was going, and waits for the whole answer. */
async function forward(call: IncomingMessage): Promise<void> {
  const { method, url: path, headers } = call;
  const body = await buffer(call);
  const { host, port } = faultHeaders;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ method, path, headers, host: String(headers[host]), port: String(headers[port]) }, resolve)
    .once('error', reject)
    .end(body);
  await buffer(await promise);
}
