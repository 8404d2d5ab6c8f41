import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../process/startError.ts';
import { answerBadRequests, headerBytesMax, sendError } from './badRequests.ts';
import { foreignOriginError } from './foreignOrigins.ts';
import { toOriginForm } from './requestTarget.ts';

/** Answers requests, at once or later. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  server: Server;
  url: string;
}

/** How long a request's headers may take, in milliseconds, and how often Node looks for those that take longer: 30 seconds together. */
export const headerTimeouts = { headersTimeout: 25_000, connectionsCheckingInterval: 5000 };

/**
 * Serves programs of this machine; pages of other sites are refused.
 * @throws StartError when the port is taken
 */
export async function listen(port: number, listener: Listener, waits = headerTimeouts): Promise<Listening> {
  const server = createServer(
    // A request without the header Host would be refused by Node itself, with an answer that has no body.
    { ...waits, maxHeaderSize: headerBytesMax, requireHostHeader: false },
    (request, response) => void answerSafely(listener, request, response),
  );
  // A client that has sent all it has to say may end its half of the connection. Node's documentation has no word for it:
  // https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  Object.assign(server, { httpAllowHalfOpen: true });
  answerBadRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken. End what listens there, or choose another port with --port.`,
      );
    throw new StartError(`Port ${port} cannot be used: ${error.message}`);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A listener that throws, or rejects, would otherwise end the process, and everything else with it. */
async function answerSafely(
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    toOriginForm(request);
    const refusal = foreignOriginError(request);
    if (refusal) sendError(response, refusal);
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
