import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answerHeaders.ts';
import { type ErrorStatus, errorBody } from '../../../lib/errors/apiError.ts';
import { platformMessages } from '../../pages/reference/prose/errorDescriptions.ts';
import { StartError } from '../process/startError.ts';

/** Handles a request. It may return before the response is sent. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Listening {
  server: Server;
  url: string;
}

/**
 * How long a connection without a request stays open. With Node's five seconds, a client that begins a request after a busy moment would find
 * its connection closed.
 */
const idleMs = 75_000;

/**
 * API Gateway accepts 10,240 bytes of a URL, and as many of all headers together.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const headBytesMax = 20_480;

/**
 * Listens on 127.0.0.1. It refuses requests from web pages of other sites, and anything that is not valid HTTP.
 * @throws StartError if the port cannot be used
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
    // While a response is being sent, further bytes would be read as a part of it.
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

/** Returns the response to input that Node's parser does not accept as a request, such as unencoded letters in a URL. */
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

/** How long running requests may continue when the server closes, in milliseconds. */
const drainMs = 1000;

/** Closes a server. Connections that are still open after `drainMs` are cut. */
export async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}

// A web page that is open in a browser of this machine can send requests to this server. The browser puts the page's site into Origin, and the
// requested name into Host. A page can change neither header.

/** A page that reaches this machine by DNS rebinding sends its own name in Host, which is not in this list. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out port 80, the default of http. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/** Host names ignore case and may end with a dot (RFC 3986 § 3.2.2). */
const usualForm = (host: string): string => host.toLowerCase().replace(/\.(:\d+)?$/, '$1');

/**
 * Checks Host and Origin. Browsers always send Host. They send Origin with cross-site requests, except with GET and HEAD without CORS, whose responses no page can read. Several Hosts are refused, because other programs
 * may read a different one.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns the error for a request from a web page of another site; undefined for all other requests
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

/** Sends an error in the format of this API. Node reads and drops the rest of the body, so that the client gets the response. */
export function sendError(response: ServerResponse, error: ErrorResponse): void {
  const { headers, body } = errorAnswer(error);
  response.writeHead(error.status, headers).end(body);
}

function errorAnswer({ status, message }: ErrorResponse) {
  const body = JSON.stringify(errorBody(status, message));
  const own = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return { headers: { ...answerHeaders, [requestIdHeader]: randomUUID(), ...own }, body };
}
