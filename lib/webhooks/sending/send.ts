import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hostOf } from '../../contract/values/receiverUrl.ts';
import {
  BlockedAddressError,
  Ipv6OnlyError,
  type LookupAddress,
  type Resolve,
  resolveReceiver,
  UnresolvedError,
} from './address.ts';
import { type Answer, noAnswer, outcomeOf } from './answer.ts';
import type { Attempt, Failure } from './attempt.ts';
import { excerptBytes, excerptOf } from './excerpt.ts';

/** The whole exchange, from the DNS to the last byte of the answer. */
const deadlineMs = 15_000;
/** Beyond its status an answer is of little use: from here on its sender is not listened to. */
const maxAnswerBytes = 16 * 1024;
/** Node's own 250 ms would give up an address that is merely far away, unless it is the last one. */
const connectMs = 2000;

/** Hands the connection the addresses that were checked, in either of the forms it may ask for. */
const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses as [LookupAddress];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

/** A request on a connection of its own. An agent that others share could bring in a proxy or an open connection. */
function open(url: URL, headers: Record<string, string>, addresses: LookupAddress[]): ClientRequest {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    method: 'POST',
    host: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    agent: false,
    lookup: pinnedTo(addresses),
    autoSelectFamilyAttemptTimeout: connectMs,
    // Said here, so that no setting of the process can take it back.
    maxHeaderSize: maxAnswerBytes,
    rejectUnauthorized: true,
    insecureHTTPParser: false,
  };
  return request(options);
}

/** A certificate that is no good is known to the socket; all else of TLS has a code of its own. */
function failureOf({ code = '' }: NodeJS.ErrnoException, { socket }: ClientRequest): Failure {
  const isOfTls =
    /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) || (socket as TLSSocket | null)?.authorizationError;
  return isOfTls ? 'tls_error' : 'connection_error';
}

/** Sends the body and takes the answer. Never rejects, and leaves no connection behind. */
function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  // One byte more than is kept tells that there was more. It is a copy: a chunk would hold on to all that was read with it.
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
    const fail = (error: Error): void => end(failureOf(error, request));
    signal.addEventListener('abort', timeUp);
    // These listeners stay: a late error that nobody listens to would end the process.
    request.on('error', fail).on('close', () => {
      if (answer.status === null) end('connection_error');
    });
    request.on('response', (response) => {
      answer.status = response.statusCode ?? null;
      answer.retryAfter = response.headers['retry-after'];
      response.on('data', (chunk: Buffer) => {
        chunk.copy(start, read);
        read += chunk.length;
        if (read >= maxAnswerBytes) end();
      });
      response
        .on('end', end)
        .on('error', fail)
        .on('close', () => end('connection_error'));
    });
    if (signal.aborted) timeUp();
    else request.end(body);
  });
}

/** Why there was nothing to connect to. */
function unreachable(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof BlockedAddressError) return { ...noAnswer, failure: 'blocked_address' };
  if (error instanceof Ipv6OnlyError) return { ...noAnswer, failure: 'connection_error' };
  if (!(error instanceof UnresolvedError)) throw error;
  return { ...noAnswer, failure: signal.aborted ? 'timeout' : 'dns_error' };
}

/**
 * Posts a message to the receiver of a webhook: the one way from here to an address that a client gave. Redirects are not
 * followed, nothing is decompressed, and nothing that a receiver or the network does makes it throw.
 * @param options.resolve asked once, for the addresses of a name
 * @returns the attempt, and the header Retry-After as it came
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
    response_excerpt: excerptOf(answer.start),
  };
  return { attempt, retryAfter: answer.retryAfter };
}
