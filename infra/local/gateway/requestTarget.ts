import type { IncomingMessage } from 'node:http';

/**
 * Brings a request for a whole address, such as clients send to a proxy, into the form that all others have: its target is the
 * path, and its Host is that of the address, whatever the header says (RFC 9112 § 3.2.2).
 */
export function toOriginForm(request: IncomingMessage): void {
  const [, host, path] = /^http:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '') ?? [];
  if (host === undefined || path === undefined) return;
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = host;
  const others = pairsOf(request.rawHeaders).filter(([name]) => name.toLowerCase() !== 'host');
  request.rawHeaders = ['Host', host, ...others.flat()];
}

/** The headers of a request as they came, each name with its value. */
export const pairsOf = (rawHeaders: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
    rawHeaders[2 * i] as string,
    rawHeaders[2 * i + 1] as string,
  ]);
