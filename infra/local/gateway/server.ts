import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../process/startError.ts';
import { foreignOriginError } from './foreignOrigins.ts';
import { sendError } from './sendError.ts';

/** Answers a request. It may return before the answer is sent. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  server: Server;
  url: string;
}

/**
 * How long a connection without a request stays open. With the five seconds of Node, a client that begins a request after a busy
 * moment finds its connection closed.
 */
const idleMs = 75_000;

/**
 * API Gateway takes 10,240 bytes of a URL, and as many of all headers together.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const headBytesMax = 20_480;

/**
 * Listens on 127.0.0.1. Requests from web pages of other sites are refused. Node answers what is no valid HTTP.
 * @throws StartError when the port cannot be used
 */
export async function listen(port: number, listener: Listener): Promise<Listening> {
  const server = createServer(
    { keepAliveTimeout: idleMs, maxHeaderSize: headBytesMax },
    (request, response) => void answerSafely(listener, request, response),
  );
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
    const error = foreignOriginError(request);
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
