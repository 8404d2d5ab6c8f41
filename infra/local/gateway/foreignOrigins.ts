import type { IncomingMessage } from 'node:http';
import type { ErrorResponse } from './sendError.ts';

// A web page that is open in a browser of this machine can send requests to it. The browser puts the site of the page into Origin
// and the name that the page requested into Host. A page cannot change either header.

/** A page that reaches this machine by DNS rebinding sends its own name in Host, which is none of these. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out port 80, the default of http. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/** Host names ignore case, and one dot may end them (RFC 3986 § 3.2.2). */
const usualForm = (host: string): string => host.toLowerCase().replace(/\.(:\d+)?$/, '$1');

/**
 * Checks Host and Origin. A request without Origin, or of HTTP/1.0 without Host, does not come from a browser.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns the error for a request of a web page of another site; undefined for all other requests
 */
export function foreignOriginError({ headers, socket }: IncomingMessage): ErrorResponse | undefined {
  const { host, origin } = headers;
  const hosts = hostsAt(socket.localPort as number);
  if (host !== undefined && !hosts.includes(usualForm(host)))
    return forbidden(`Host must be ${hosts.join(' or ')}: this server is for programs of its own machine`);
  const origins = hosts.map((own) => `http://${own}`);
  if (origin !== undefined && !origins.includes(usualForm(origin)))
    return forbidden(`Origin must be ${origins.join(' or ')}: pages of other sites are refused`);
  return undefined;
}

const forbidden = (rule: string): ErrorResponse => ({ status: 403, message: `The header ${rule}` });
