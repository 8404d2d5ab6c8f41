import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Random } from '../simulation/random.ts';
import { listening } from '../support/http/loopback.ts';
import { faultHeaders } from './faultyCalls.ts';

/** What happens to calls of the Lambdas to the database and to the queues. */
const faultKinds = ['fails', 'is throttled', 'loses its answer', 'hangs'] as const;
type FaultKind = (typeof faultKinds)[number];

/** A time, in epoch milliseconds, in which some of the calls meet a fault. */
export interface FaultWindow {
  kind: FaultKind;
  from: number;
  to: number;
}

/** A window begins in each span of this length, and lasts half of it at most. */
const spanMs = 15_000;

/** Returns the windows of a load that lasts about `ms`: the kinds take turns, and the last tenth is without faults. */
export const windowsOf = (random: Random, ms: number): FaultWindow[] =>
  Array.from({ length: Math.ceil((0.9 * ms) / spanMs) }, (_, i) => {
    const from = Date.now() + i * spanMs + random.below(spanMs / 2);
    const to = from + spanMs / 10 + random.below(0.4 * spanMs);
    return { kind: faultKinds[i % faultKinds.length] as FaultKind, from, to };
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
  return {
    url: await listening(server),
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
  const { host: _, connection: __, 'content-length': ___, ...headers } = call.headers;
  const url = `http://${headers[faultHeaders.host]}${call.url}`;
  const body = await buffer(call);
  await (await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body })).text();
}
