import type { IncomingMessage } from 'node:http';
import type { ErrorResponse } from './badRequests.ts';
import { pairsOf } from './requestTarget.ts';

// A web page that somebody has open on this machine can send requests to it. The browser then says in Origin whose page
// it is, and in Host by which name the page found the address: a page cannot change either.

/** A page whose own name leads to this machine (DNS rebinding) sends that name, and none of these. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out the port that http has by itself. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/**
 * Refuses requests of pages of somebody else. A request without the two headers is none of a browser.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns undefined for a request of a program, or of a page of this server
 */
export function foreignOriginError({
  headers,
  rawHeaders,
  socket,
}: IncomingMessage): ErrorResponse | undefined {
  const { host, origin } = headers;
  // Of several, each reader could take another one for the one that was checked (RFC 9112 § 3.2).
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
