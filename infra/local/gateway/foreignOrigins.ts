import type { IncomingMessage } from 'node:http';
import type { ErrorResponse } from './badRequests.ts';
import { pairsOf } from './requestTarget.ts';

// A web page that is open in a browser of this machine can send requests to it. The browser puts the site of the page into Origin
// and the name that the page requested into Host. A page cannot change either header.

/** A page that reaches this machine by DNS rebinding sends its own name in Host, which is none of these. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out port 80, the default of http. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/**
 * Checks Host and Origin. A request without them does not come from a browser.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns the error for a request of a web page of another site; undefined for all other requests
 */
export function foreignOriginError({
  headers,
  rawHeaders,
  socket,
}: IncomingMessage): ErrorResponse | undefined {
  const { host, origin } = headers;
  // With several Host headers, later code could read another one than the one checked here (RFC 9112 § 3.2).
  if (pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host').length > 1)
    return { status: 400, message: 'The header Host must be given once' };
  const hosts = hostsAt(socket.localPort as number);
  if (host !== undefined && !hosts.includes(host))
    return forbidden(`Host must be ${hosts.join(' or ')}: this server is for programs of its own machine`);
  const origins = hosts.map((own) => `http://${own}`);
  if (origin !== undefined && !origins.includes(origin))
    return forbidden(`Origin must be ${origins.join(' or ')}: pages of other sites are refused`);
  return undefined;
}

const forbidden = (rule: string): ErrorResponse => ({ status: 403, message: `The header ${rule}` });
