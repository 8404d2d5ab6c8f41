import type { Attempt, Failure } from '../model/delivery.ts';
import {
  BlockedAddressError,
  Ipv6OnlyError,
  type Resolve,
  resolveReceiver,
  UnresolvedError,
} from './address.ts';
import { type ClientRequest, failureOf, type IncomingMessage, open } from './connection.ts';

// What an attempt brings: the answer of the receiver, and what is kept of it.

/** The answer of a receiver, or the part of it that was received. */
export interface Answer {
  status: number | null;
  retryAfter: string | undefined;
  /** Its Content-Encoding. */
  encoding: string | undefined;
  /** Its Location. */
  location: string | undefined;
  /** Its first bytes. */
  start: Uint8Array;
  /** Why it was not read to its end. */
  failure: Failure | undefined;
}

export const noAnswer: Answer = {
  status: null,
  retryAfter: undefined,
  encoding: undefined,
  location: undefined,
  start: Buffer.alloc(0),
  failure: undefined,
};

/** The statuses that send a client to another address (RFC 9110, 15.4). 304, for one, does not. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the outcome of an answer. A status other than 2xx counts even if the connection fails later. */
export function outcomeOf({ status, failure }: Answer): Pick<Attempt, 'outcome' | 'reason'> {
  if (status === null || (status >= 200 && status < 300))
    return failure ?? { outcome: 'success', reason: null };
  // Node accepts 101 and statuses below 100 as final answers.
  if (status < 200) return failed('protocol_error');
  return { outcome: redirects.has(status) ? 'redirect' : 'http_error', reason: null };
}

const failed = (outcome: Failure['outcome'], reason: Failure['reason'] = null): Failure => ({
  outcome,
  reason,
});

/** How much of an answer's body is kept, in bytes. */
export const excerptBytes = 1024;

/** Control characters, those that turn the direction of a text, and bytes that are not text. */
const unshown = /(?![\n\t])[\p{Cc}\p{Cs}\u202D\u202E\uFFFD]/gu;

/**
 * The beginning of a body as text, at most `excerptBytes` bytes of UTF-8; null when it is empty. Characters that are not
 * shown become question marks: one byte each, so that the text does not get longer than the bytes.
 */
export function excerptOf(bytes: Uint8Array): string | null {
  // With `stream`, a character that the cut splits is left out; otherwise it would become a replacement character.
  const text = new TextDecoder().decode(bytes.subarray(0, excerptBytes), {
    stream: bytes.length > excerptBytes,
  });
  return text.replaceAll('\r\n', '\n').replace(unshown, '?') || null;
}

/** Returns what is shown of an answer. A compressed body is named and not unpacked: a small one can become a very large one. */
export function shownOf({ status, location, start, encoding = 'identity' }: Answer): string | null {
  if (location !== undefined && redirects.has(status ?? 0))
    return excerptOf(Buffer.from(`(a redirect to ${location})`));
  if (start.length === 0 || /^identity$/i.test(encoding)) return excerptOf(start);
  return excerptOf(Buffer.from(`(a body with Content-Encoding ${encoding}, which is not unpacked)`));
}

/** For the whole exchange, from the DNS lookup to the last byte of the answer. */
export const deadlineMs = 15_000;
/** The rest of an answer is not read: beyond the status it is of little use. */
const maxAnswerBytes = 16 * 1024;
/** Interim answers (1xx) before the final one. A server needs one or two. */
const maxInterimAnswers = 10;

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
    const timeUp = (): void => end(failed('timeout'));
    let message: IncomingMessage | undefined;
    // Bytes behind a complete answer are an error of the parser. The answer counts, and its end is still to come.
    const fail = (error: Error): void => {
      if (!message?.complete) end(failureOf(error, request));
    };
    signal.addEventListener('abort', timeUp);
    // These listeners stay: a late error without a listener would end the process.
    request.on('error', fail).on('close', () => {
      if (answer.status === null) end(failed('connection_error', 'cut'));
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > maxInterimAnswers) end(failed('protocol_error'));
    });
    request.on('response', (response) => {
      message = response;
      answer.status = response.statusCode ?? null;
      answer.retryAfter = response.headers['retry-after'];
      answer.encoding = response.headers['content-encoding'];
      answer.location = response.headers.location;
      response.on('data', (chunk: Buffer) => {
        chunk.copy(start, read);
        read += chunk.length;
        if (read >= maxAnswerBytes) end();
      });
      response
        .on('end', () => end())
        .on('error', fail)
        .on('close', () => end(response.complete ? undefined : failed('connection_error', 'cut')));
    });
    if (signal.aborted) timeUp();
    else request.end(body);
  });
}

/** The failure of an attempt that had no address to connect to. */
function unreachable(error: unknown, signal: AbortSignal): Answer {
  if (error instanceof BlockedAddressError) return { ...noAnswer, failure: failed('blocked_address') };
  if (error instanceof Ipv6OnlyError) return { ...noAnswer, failure: failed('connection_error') };
  if (!(error instanceof UnresolvedError)) throw error;
  return { ...noAnswer, failure: failed(signal.aborted ? 'timeout' : 'dns_error') };
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
    ...outcomeOf(answer),
    response_excerpt: shownOf(answer),
  };
  return { attempt, retryAfter: answer.retryAfter };
}
