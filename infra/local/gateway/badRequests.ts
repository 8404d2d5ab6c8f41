import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorStatus, errorBody, errorNames } from '../../../lib/apiError.ts';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answer.ts';

// What Node would answer by itself, with other bodies or none: here it gets the one shape of all errors.

/** API Gateway's limit for all headers together. */
export const headerBytesMax = 10_240;

export interface ErrorResponse {
  status: ErrorStatus;
  message: string;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers in a server's name what never gets as far as its listener. */
export function answerBadRequests(server: Server): void {
  // A connection may carry the next request before the last one is answered, and answers keep the order of requests.
  const latest = new WeakMap<Duplex, Exchange>();
  const note = (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, { request, response });
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, refusal: ErrorResponse) => {
    // What else arrives on a connection after nonsense is nonsense, too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { request, response } = latest.get(socket) ?? {};
    if (!response || response.writableFinished) writeTo(socket, refusal);
    else if (request?.complete) response.once('close', () => writeTo(socket, refusal));
    else if (!response.headersSent) answer(response, refusal);
  };
  server.prependListener('request', note);
  server.on('checkExpectation', (request, response) => {
    note(request, response);
    answer(response, { status: 400, message: 'The header Expect can only be 100-continue' });
  });
  server.on('connect', (_request, socket) => {
    // Node has let go of the connection, and so of its errors.
    socket.on('error', () => {});
    refuse(socket, unknownMethod);
  });
  server.on('clientError', (error, socket) => refuse(socket, errorResponseOf(error)));
}

const unknownMethod: ErrorResponse = { status: 404, message: 'There is no route with this method' };

/** Of a method that Node knows nothing of, too, the rest of the request line is HTTP: `FOO /v1/contacts HTTP/1.1` */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** https://nodejs.org/api/http.html#event-clienterror */
interface ClientError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

function errorResponseOf({ code, bytesParsed = 0, rawPacket }: ClientError): ErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 400, message: `The headers must be at most ${headerBytesMax} bytes together` };
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

/** What follows on a connection after what is no HTTP, or was not understood, cannot be told apart from it. */
const closeHeader = { Connection: 'close' };

function answer(response: ServerResponse, refusal: ErrorResponse): void {
  const { headers, body } = partsOf(refusal);
  response.writeHead(refusal.status, { ...headers, ...closeHeader }).end(body);
}

/** Refuses a request that is whole HTTP. Node reads and drops the rest of its body, so that its sender gets the answer. */
export function sendError(response: ServerResponse, refusal: ErrorResponse): void {
  const { headers, body } = partsOf(refusal);
  response.writeHead(refusal.status, headers).end(body);
}

/** How long a client may take to read the answer: ended at once, a connection with unread bytes is reset, answer and all. */
const lingerMs = 500;

function writeTo(socket: Duplex, refusal: ErrorResponse): void {
  if (!socket.writable) return;
  const { headers, body } = partsOf(refusal);
  const lines = Object.entries({ ...headers, ...closeHeader }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${refusal.status} ${errorNames[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
