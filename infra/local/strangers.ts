import type { IncomingMessage } from 'node:http';

// A web page that somebody has open on this machine can send requests to it. The browser then says in Origin whose page
// it is, and in Host by which name the page found the address: a page cannot change either.

/** A page whose own name leads to this machine (DNS rebinding) sends that name, and none of these. */
const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Browsers leave out the port that http has by itself. */
const hostsAt = (port: number): string[] => ownNames.map((name) => (port === 80 ? name : `${name}:${port}`));

/**
 * Why a request is one of a page of somebody else. A request without the two headers is none of a browser.
 * https://fetch.spec.whatwg.org/#origin-header
 * @returns undefined for a request of a program, or of a page of this server
 */
export function strangerIn({ headers, socket }: IncomingMessage): string | undefined {
  const { host, origin } = headers;
  const hosts = hostsAt(socket.localPort as number);
  if (host !== undefined && !hosts.includes(host))
    return `The header Host must be ${hosts.join(' or ')}: this server is for programs of its own machine`;
  const origins = hosts.map((own) => `http://${own}`);
  if (origin !== undefined && !origins.includes(origin))
    return `The header Origin must be ${origins.join(' or ')}: pages of other sites are refused`;
  return undefined;
}
