import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { hostOf } from '../../values/receiverUrl.ts';
import type { Attempt, Failure } from '../model/attempt.ts';
import {
  BlockedAddressError,
  Ipv6OnlyError,
  type LookupAddress,
  type Resolve,
  resolveReceiver,
  UnresolvedError,
} from './address.ts';
import { type Answer, excerptBytes, noAnswer, outcomeOf, shownOf } from './answer.ts';

/** For the whole exchange, from the DNS lookup to the last byte of the answer. */
const deadlineMs = 15_000;
/** The rest of an answer is not read: beyond the status it is of little use. */
const maxAnswerBytes = 16 * 1024;
/** Per address. Node's default of 250 ms is too short for an address that is far away. */
const connectMs = 2000;

/** Gives the connection the addresses that were checked, instead of another lookup. */
const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses as [LookupAddress];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

/** A request on a connection of its own. A shared agent could use a proxy or an open connection. */
function open(url: URL, headers: Record<string, string>, addresses: LookupAddress[]): ClientRequest {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options: RequestOptions &
    Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> &
    Pick<ConnectionOptions, 'ALPNProtocols'> = {
    method: 'POST',
    host: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    agent: false,
    lookup: pinnedTo(addresses),
    autoSelectFamilyAttemptTimeout: connectMs,
    // Set here, so that no setting of the process can change it.
    maxHeaderSize: maxAnswerBytes,
    rejectUnauthorized: true,
    insecureHTTPParser: false,
    // A server that speaks only HTTP/2 says so in the handshake.
    ALPNProtocols: ['http/1.1'],
  };
  return request(options);
}

/** Whether what the receiver sent is not HTTP/1.1. HPE are errors of Node's parser; the alert answers our ALPN (RFC 7301, 3.2). */
const isOfProtocol = ({ code = '', message }: NodeJS.ErrnoException): boolean =>
  code.startsWith('HPE_') || message.includes('alert no application protocol');

/** The socket reports an invalid certificate; all other errors of TLS have codes. */
function failureOf(error: NodeJS.ErrnoException, { socket }: ClientRequest): Failure {
  if (isOfProtocol(error)) return 'protocol_error';
  const isOfTls =
    /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(error.code ?? '') || (socket as TLSSocket | null)?.authorizationError;
  return isOfTls ? 'tls_error' : 'connection_error';
}

/** Sends the body and reads the answer. It never rejects, and always closes the connection. */
function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  // One byte more than is kept shows that the body is longer. A copy, because a chunk keeps its whole buffer in memory.
  const start = Buffer.alloc(excerptBytes + 1);
  const answer = { ...noAnswer };
  let read = 0;
  return new Promise((resolve) => {
    const end = (failure?: Failure): void => {
      signal.removeEventListener('abort', timeUp);
      resolve({ ...answer, start: start.subarray(0, read), failure });
      request.destroy();
    };
    const timeUp = (): void => end('timeout');
    let message: IncomingMessage | undefined;
    // Bytes behind a complete answer are an error of the parser. The answer counts, and its end is still to come.
    const fail = (error: Error): void => {
      if (!message?.complete) end(failureOf(error, request));
    };
    signal.addEventListener('abort', timeUp);
    // These listeners stay: a late error without a listener would end the process.
    request.on('error', fail).on('close', () => {
      if (answer.status === null) end('connection_error');
    });
    request.on('response', (response) => {
      message = response;
      answer.status = response.statusCode ?? null;
      answer.retryAfter = response.headers['retry-after'];
      answer.encoding = response.headers['content-encoding'];
      response.on('data', (chunk: Buffer) => {
        chunk.copy(start, read);
        read += chunk.length;
        if (read >= maxAnswerBytes) end();
      });
      response
        .on('end', end)
        .on('error', fail)
        .on('close', () => end(response.complete ? undefined : 'connection_error'));
    });
    if (signal.aborted) timeUp();
    else request.end(body);
  });
}

/** The failure of an attempt that had no address to connect to. */
function unreachable(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof BlockedAddressError) return { ...noAnswer, failure: 'blocked_address' };
  if (error instanceof Ipv6OnlyError) return { ...noAnswer, failure: 'connection_error' };
  if (!(error instanceof UnresolvedError)) throw error;
  return { ...noAnswer, failure: signal.aborted ? 'timeout' : 'dns_error' };
}

/**
 * Posts a message to the receiver of a webhook. No other function connects to an address that a client gave. It follows no
 * redirect and decompresses nothing. It does not throw, whatever a receiver or the network does.
 * @param options.resolve called once, for the addresses of a name
 * @returns the attempt, and the header Retry-After as it was received
 */
export async function send(
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  { timeoutMs = deadlineMs, resolve }: { timeoutMs?: number; resolve?: Resolve } = {},
): Promise<{ attempt: Attempt; retryAfter: string | undefined }> {
  const startedAt = new Date().toISOString();
  const begun = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const target = new URL(url);
  const answer = await resolveReceiver(target, signal, resolve).then(
    (addresses) => exchange(open(target, headers, addresses), body, signal),
    (error) => unreachable(error, signal),
  );
  const attempt = {
    started_at: startedAt,
    duration_ms: Math.round(performance.now() - begun),
    http_status: answer.status,
    outcome: outcomeOf(answer),
    response_excerpt: shownOf(answer),
  };
  return { attempt, retryAfter: answer.retryAfter };
}
