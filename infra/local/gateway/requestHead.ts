import type { IncomingMessage } from 'node:http';
import { bytesMax, type ErrorResponse } from './badRequests.ts';
import { pairsOf } from './requestTarget.ts';

/** What Node parses. Its error for more than this does not say what was too long, so the limit is far above `bytesMax`. */
export const parsedBytesMax = 1024 * 1024;

/** An RFC 3986 host, with or without a port. */
const hostForm = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Checks the size of a request's head, and its Host (RFC 9112 § 3.2) as the client sent it. */
export function headError({ url = '', rawHeaders, httpVersion }: IncomingMessage): ErrorResponse | undefined {
  // Node reads headers as Latin-1, so a character is a byte. The four others are the colon, the space, CR and LF.
  const headerBytes = rawHeaders.join('').length + 4 * (rawHeaders.length / 2);
  if (url.length > bytesMax) return badRequest(`The URL must be at most ${bytesMax} bytes`);
  if (headerBytes > bytesMax) return badRequest(`The headers must be at most ${bytesMax} bytes together`);
  const [host, ...others] = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host');
  if (others.length > 0) return badRequest('The header Host must be given once');
  if (!host && httpVersion !== '1.0') return badRequest('The header Host must be given with HTTP/1.1');
  if (host && !hostForm.test(host[1]))
    return badRequest('The header Host must be a host, with or without a port');
  return undefined;
}

const badRequest = (message: string): ErrorResponse => ({ status: 400, message });
