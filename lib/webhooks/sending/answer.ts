import type { Failure, Outcome } from '../model/attempt.ts';

// What an attempt brings: the answer of the receiver, and what is kept of it.

/** The answer of a receiver, or the part of it that was received. */
export interface Answer {
  status: number | null;
  retryAfter: string | undefined;
  /** Its Content-Encoding. */
  encoding: string | undefined;
  /** Its first bytes. */
  start: Uint8Array;
  /** Why it was not read to its end. */
  failure: Failure | undefined;
}

export const noAnswer: Answer = {
  status: null,
  retryAfter: undefined,
  encoding: undefined,
  start: Buffer.alloc(0),
  failure: undefined,
};

/** The statuses that send a client to another address (RFC 9110, 15.4). 304, for one, does not. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A status other than 2xx counts even if the connection fails later. */
export function outcomeOf({ status, failure }: Answer): Outcome {
  if (status === null || (status >= 200 && status < 300)) return failure ?? 'success';
  // Node accepts 101 and statuses below 100 as final answers.
  if (status < 200) return 'protocol_error';
  return redirects.has(status) ? 'redirect' : 'http_error';
}

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

/** What is shown of an answer. A compressed body is named and not unpacked: a small one can become a very large one. */
export function shownOf({ start, encoding = 'identity' }: Answer): string | null {
  if (start.length === 0 || /^identity$/i.test(encoding)) return excerptOf(start);
  return excerptOf(Buffer.from(`(a body with Content-Encoding ${encoding}, which is not unpacked)`));
}
