import { createHmac } from 'node:crypto';
import type { Attempt, Failure } from '../model/delivery.ts';
import { liveSecrets, type Secrets, secretPrefix } from '../model/secrets.ts';
import { type Resolve, resolveReceiver, type Unreachable } from './receiverAddress.ts';
import { type ClientRequest, failureOf, type IncomingMessage, openRequest } from './receiverConnection.ts';

/** An attempt, and the Retry-After header of its response as it was received. */
export interface SendResult {
  attempt: Attempt;
  retryAfter: string | undefined;
}

/** The response of a receiver, or the part of it that was received. */
export interface Answer {
  status: number | null;
  headers: IncomingMessage['headers'];
  /** Its first bytes. */
  start: Uint8Array;
  /** The reason why it was not read to its end. */
  failure: Failure | undefined;
}

/** The statuses that send a client to another address (RFC 9110, 15.4). For example, 304 does not. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the outcome of a response. A status other than 2xx counts even if the connection fails later. */
export function outcomeOf({ status, failure }: Answer): Pick<Attempt, 'outcome' | 'reason'> {
  if (status === null || (status >= 200 && status < 300))
    return failure ?? { outcome: 'success', reason: null };
  // Node accepts 101 and statuses below 100 as final responses.
  if (status < 200) return failed('protocol_error', 'malformed');
  return { outcome: redirects.has(status) ? 'redirect' : 'http_error', reason: null };
}

const failed = (outcome: Failure['outcome'], reason: Failure['reason'] = null): Failure => ({
  outcome,
  reason,
});

/** How many bytes of a response body are kept. */
export const excerptBytes = 1024;

/** Matches control characters, characters that change the direction of a text, and bytes that are not text. */
const unshown = /(?![\n\t])[\p{Cc}\p{Cs}\u202D\u202E\uFFFD]/gu;

/** Returns the decoder of a charset (https://encoding.spec.whatwg.org/#names-and-labels); for an unknown charset, the decoder of UTF-8. */
function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Returns the first `excerptBytes` bytes as text. `stream` leaves out a character that the cut splits. */
const startOf = (bytes: Uint8Array, charset?: string): string =>
  decoderOf(charset).decode(bytes.subarray(0, excerptBytes), { stream: bytes.length > excerptBytes });

/**
 * Returns the beginning of a body as text, at most `excerptBytes` bytes of UTF-8; null if it is empty. Characters that are not shown become
 * question marks. These take one byte each, so the text does not become longer than the bytes.
 * @param contentType names the charset of the body
 */
export function excerptOf(bytes: Uint8Array, contentType = ''): string | null {
  const [, charset] = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType) ?? [];
  const text = startOf(bytes, charset).replaceAll('\r\n', '\n').replace(unshown, '?');
  // Another charset may need fewer bytes than UTF-8.
  return startOf(Buffer.from(text)) || null;
}

/** Returns the excerpt of a response. A compressed body is named but not decompressed, because a small one can expand to a very large one. */
export function shownOf({ status, headers, start }: Answer): string | null {
  const { location, 'content-encoding': encoding = 'identity', 'content-type': type } = headers;
  if (location !== undefined && redirects.has(status ?? 0))
    return excerptOf(Buffer.from(`(a redirect to ${location})`));
  if (start.length === 0 || /^identity$/i.test(encoding)) return excerptOf(start, type);
  return excerptOf(Buffer.from(`(a body with Content-Encoding ${encoding}, which is not unpacked)`));
}

/** The time limit for the whole exchange, from the DNS lookup to the last byte of the response. */
export const deadlineMs = 15_000;
/** The rest of a response is not read, because little beyond the status is useful. */
const maxAnswerBytes = 16 * 1024;
/** The most interim responses (1xx) before the final one. A server needs one or two. */
const maxInterimAnswers = 10;

/** Sends the body and reads the response. It never rejects, and always closes the connection. */
function exchange(request: ClientRequest, body: string, signal: AbortSignal): Promise<Answer> {
  // One byte more than is kept shows that the body is longer. The bytes are copied, because a chunk keeps its whole buffer in memory.
  const start = Buffer.alloc(excerptBytes + 1);
  let read = 0;
  let interim = 0;
  let message: IncomingMessage | undefined;
  return new Promise((resolve) => {
    const end = (failure?: Failure): void => {
      const { statusCode: status = null, headers = {} } = message ?? {};
      resolve({ status, headers, start: start.subarray(0, read), failure });
      request.destroy();
    };
    // Bytes after a complete response are an error of the parser. The response counts, and its end is still to come.
    const fail = (error: Error): void => {
      if (!message?.complete) end(failureOf(error, request));
    };
    signal.addEventListener('abort', () => end(failed('timeout')));
    // These listeners stay, because a late error without a listener would end the process.
    request.on('error', fail).on('close', () => {
      if (!message) end(failed('connection_error', 'cut'));
    });
    request.on('information', () => {
      interim += 1;
      if (interim > maxInterimAnswers) end(failed('protocol_error', 'malformed'));
    });
    request.on('response', (response) => {
      message = response;
      response
        .on('data', (chunk: Buffer) => {
          chunk.copy(start, read);
          read += chunk.length;
          if (read >= maxAnswerBytes) end();
        })
        .on('end', () => end())
        .on('error', fail)
        .on('close', () => end(response.complete ? undefined : failed('connection_error', 'cut')));
    });
    if (signal.aborted) end(failed('timeout'));
    else request.end(body);
  });
}

/** Returns the result for a host to which nothing is sent. */
function unreachable(why: Unreachable, signal: AbortSignal): Answer {
  const unresolved = signal.aborted ? 'timeout' : 'dns_error';
  const outcomes = { blocked: 'blocked_address', ipv6_only: 'connection_error', unresolved } as const;
  return { status: null, headers: {}, start: Buffer.alloc(0), failure: failed(outcomes[why]) };
}

/**
 * Posts a message to the receiver of a webhook. No other function connects to an address that a client gave. It follows no redirects and
 * decompresses nothing. It does not throw, whatever a receiver or the network does.
 * @param options.resolve called once, for the addresses of a name
 */
export async function send(
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  { timeoutMs = deadlineMs, resolve }: { timeoutMs?: number; resolve?: Resolve } = {},
): Promise<SendResult> {
  const startedAt = new Date().toISOString();
  const begun = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const target = new URL(url);
  const resolved = await resolveReceiver(target, signal, resolve);
  const answer =
    'refused' in resolved
      ? unreachable(resolved.refused, signal)
      : await exchange(openRequest(target, headers, resolved.addresses), body, signal);
  const attempt = {
    started_at: startedAt,
    duration_ms: Math.round(performance.now() - begun),
    http_status: answer.status,
    ...outcomeOf(answer),
    response_excerpt: shownOf(answer),
  };
  return { attempt, retryAfter: answer.headers['retry-after'] };
}

export interface Signing {
  secrets: readonly string[];
  at: Date;
}

/** Sends an event to a receiver. Each attempt gets a new signature, because receivers refuse a signature that is minutes old. */
export function sendSigned(
  url: string,
  event: { id: string; body: string },
  secrets: Secrets,
): Promise<SendResult> {
  const at = new Date();
  return sendAs(url, event, { secrets: liveSecrets(secrets, at).map(({ secret }) => secret), at });
}

export async function sendAs(
  url: string,
  { id, body }: { id: string; body: string },
  { secrets, at }: Signing,
  limits: { timeoutMs?: number } = {},
): Promise<SendResult> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'public-api-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader({ id, timestamp, body, secrets }),
  };
  return send({ url, headers, body }, limits);
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(secretPrefix.length), 'base64');

/**
 * Returns the value of `webhook-signature`: one signature for each secret, in order.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeader(signed: {
  id: string;
  /** Epoch seconds of the attempt. */
  timestamp: number;
  body: string;
  secrets: readonly string[];
}): string {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`;
  return signed.secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}
