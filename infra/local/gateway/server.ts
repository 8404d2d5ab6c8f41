import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answer.ts';
import { type ErrorStatus, errorBody } from '../../../lib/errors/apiError.ts';
import { platformMessages } from '../../pages/reference/prose/errorDescriptions.ts';
import { StartError } from '../process/startError.ts';

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
 * Listens on 127.0.0.1. Requests from web pages of other sites are refused, and so is what is no valid HTTP.
 * @throws StartError when the port cannot be used
 */
export async function listen(port: number, listener: Listener): Promise<Listening> {
  const answering = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(
    { keepAliveTimeout: idleMs, maxHeaderSize: headBytesMax, requireHostHeader: false },
    (request, response) => {
      answering.set(request.socket, response);
      void answerSafely(listener, request, response);
    },
  );
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    // Bytes within the answer to an earlier request would be read as a part of it.
    const isFree = answering.get(socket)?.writableEnded ?? true;
    if (isFree && socket.writable && code.startsWith('HPE_')) socket.end(refusalOf(code));
    else socket.destroy();
  });
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

/** The answer to what Node's parser does not take for a request, such as letters in a URL that are not encoded. */
function refusalOf(code: string): string {
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? `The URL and the headers must have at most ${headBytesMax} bytes together`
      : platformMessages.invalid;
  const { headers, body } = errorAnswer({ status: 400, message });
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return ['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n');
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

// A web page that is open in a browser of this machine can send requests to it. The browser puts the site of the page into Origin
// and the name that the page requested into Host. A page cannot change either header.

/** A page that reaches this machine by DNS rebinding sends its own name in Host, which is none of these. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out port 80, the default of http. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/** Host names ignore case, and one dot may end them (RFC 3986 § 3.2.2). */
const usualForm = (host: string): string => host.toLowerCase().replace(/\.(:\d+)?$/, '$1');

/**
 * Checks Host and Origin. A request without Origin, or of HTTP/1.0 without Host, does not come from a browser. Of several Hosts, other
 * programs may read another one than this.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns the error for a request of a web page of another site; undefined for all other requests
 */
function foreignOriginError({
  headersDistinct,
  headers,
  httpVersion,
  socket,
}: IncomingMessage): ErrorResponse | undefined {
  const { origin } = headers;
  const hosts = hostsAt(socket.localPort as number);
  const [host = '', ...others] = headersDistinct.host ?? (httpVersion === '1.0' ? hosts : []).slice(0, 1);
  if (others.length > 0 || !hosts.includes(usualForm(host)))
    return forbidden(`Host must be ${hosts.join(' or ')}: this server is for programs of its own machine`);
  const origins = hosts.map((own) => `http://${own}`);
  if (origin !== undefined && !origins.includes(usualForm(origin)))
    return forbidden(`Origin must be ${origins.join(' or ')}: pages of other sites are refused`);
  return undefined;
}

const forbidden = (rule: string): ErrorResponse => ({ status: 403, message: `The header ${rule}` });

export interface ErrorResponse {
  status: ErrorStatus;
  message: string;
}

/** Answers with an error in the shape of this API. Node reads and drops the rest of the body, so the client gets the answer. */
export function sendError(response: ServerResponse, error: ErrorResponse): void {
  const { headers, body } = errorAnswer(error);
  response.writeHead(error.status, headers).end(body);
}

function errorAnswer({ status, message }: ErrorResponse) {
  const body = JSON.stringify(errorBody(status, message));
  const own = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return { headers: { ...answerHeaders, [requestIdHeader]: randomUUID(), ...own }, body };
}
