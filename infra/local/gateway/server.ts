import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../process/startError.ts';
import { answerBadRequests, sendError } from './badRequests.ts';
import { foreignOriginError } from './foreignOrigins.ts';
import { headError, parsedBytesMax } from './requestHead.ts';
import { toOriginForm } from './requestTarget.ts';

/** Answers a request. It may return before the answer is sent. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  server: Server;
  url: string;
}

/**
 * The time limits for the headers and for the whole of a request, and how often Node checks them, in milliseconds. With the
 * interval, they are at most 30 seconds. AWS states no such limits; a client of API Gateway waits 29 seconds for the function.
 */
export const receiveTimeouts = {
  headersTimeout: 25_000,
  requestTimeout: 25_000,
  connectionsCheckingInterval: 5000,
};

/**
 * How long a connection without a request stays open. With the five seconds of Node, a client that begins a request after a busy
 * moment finds its connection closed.
 */
const idleMs = 75_000;

/**
 * Listens on 127.0.0.1. Requests from web pages of other sites are refused.
 * @throws StartError when the port cannot be used
 */
export async function listen(port: number, listener: Listener, waits = receiveTimeouts): Promise<Listening> {
  const server = createServer(
    // Node itself would answer a request without the header Host, and that answer has no body.
    { ...waits, keepAliveTimeout: idleMs, maxHeaderSize: parsedBytesMax, requireHostHeader: false },
    (request, response) => void answerSafely(listener, request, response),
  );
  // A client may end its half of the connection after its request. Node's documentation does not have this option:
  // https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  Object.assign(server, { httpAllowHalfOpen: true });
  answerBadRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken. Stop the program that uses it, or choose another port with --port.`,
      );
    throw new StartError(`Port ${port} cannot be used: ${error.message}`);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Catches errors of the listener, which would otherwise end the process. */
async function answerSafely(
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const error = headError(request) ?? foreignOriginError(toOriginForm(request));
    if (error) sendError(response, error);
    else await listener(request, response);
  } catch (error) {
    console.error(`${request.method} ${request.url} failed: ${error instanceof Error ? error.stack : error}`);
    if (response.headersSent) response.destroy();
    else sendError(response, { status: 500, message: 'The local stack could not answer this request' });
  }
}

/** How long requests under way may still take when the server closes, in milliseconds. */
const drainMs = 1000;

/** Closes a server. Connections that are still open after `drainMs` are cut. */
export async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}
