import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answer.ts';
import { type ErrorStatus, errorBody, errorNames } from '../../../lib/errors/apiError.ts';

// Requests that never reach the listener: no valid HTTP, headers that are too large, CONNECT. Node would answer them without
// the error body of this API.

/**
 * API Gateway's limit for a URL, and for all headers together.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
export const bytesMax = 10_240;

export interface ErrorResponse {
  status: ErrorStatus;
  message: string;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers requests that Node does not pass to the listener. */
export function answerBadRequests(server: Server): void {
  // With pipelining, the next request may arrive before the last one is answered. Answers must keep the order of requests.
  const latest = new WeakMap<Duplex, Exchange>();
  const note = (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, { request, response });
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ErrorResponse) => {
    // One error answer for each connection: the rest of its data cannot be parsed either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { request, response } = latest.get(socket) ?? {};
    if (request && !request.complete && response?.writableFinished) socket.destroy();
    else if (!response || response.writableFinished) writeTo(socket, error);
    else if (request?.complete) response.once('close', () => writeTo(socket, error));
    else if (!response.headersSent) answer(response, error);
  };
  server.prependListener('request', note);
  server.on('checkExpectation', (request, response) => {
    note(request, response);
    answer(response, { status: 400, message: 'The header Expect can only be 100-continue' });
  });
  server.on('connect', (_request, socket) => {
    // Node no longer handles errors of this socket, and an unhandled one would end the process.
    socket.on('error', () => {});
    refuse(socket, unknownMethod);
  });
  server.on('clientError', (error, socket) => refuse(socket, errorResponseOf(error)));
}

const unknownMethod: ErrorResponse = { status: 404, message: 'There is no route with this method' };

/** A valid request line with any method. Node rejects methods that it does not know: `FOO /v1/contacts HTTP/1.1` */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** https://nodejs.org/api/http.html#event-clienterror */
interface ClientError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

function errorResponseOf({ code, bytesParsed = 0, rawPacket }: ClientError): ErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: 400,
      message: `The URL must be at most ${bytesMax} bytes, and so must the headers together`,
    };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 400, message: 'The request did not arrive whole in time' };
  const text = rawPacket?.toString('latin1') ?? '';
  const line = text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1);
  if (code === 'HPE_INVALID_METHOD' && requestLine.test(line)) return unknownMethod;
  return { status: 400, message: 'The request is not valid HTTP' };
}

function partsOf({ status, message }: ErrorResponse): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(errorBody(status, message));
  const headers = {
    ...answerHeaders,
    [requestIdHeader]: randomUUID(),
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}

/** After invalid HTTP, it is unknown where the next request on the connection would begin. */
const closeHeader = { Connection: 'close' };

function answer(response: ServerResponse, error: ErrorResponse): void {
  const { headers, body } = partsOf(error);
  response.writeHead(error.status, { ...headers, ...closeHeader }).end(body);
}

/** Answers a valid HTTP request with an error. Node reads and drops the rest of the body, so the client gets the answer. */
export function sendError(response: ServerResponse, error: ErrorResponse): void {
  const { headers, body } = partsOf(error);
  response.writeHead(error.status, headers).end(body);
}

/** How long the client has to read the answer. Closing a socket with unread bytes at once sends a reset, which discards the answer. */
const lingerMs = 5000;

function writeTo(socket: Duplex, error: ErrorResponse): void {
  if (!socket.writable) return;
  const { headers, body } = partsOf(error);
  const lines = Object.entries({ ...headers, ...closeHeader }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${error.status} ${errorNames[error.status]}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
