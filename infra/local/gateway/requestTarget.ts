import type { IncomingMessage } from 'node:http';

/**
 * Converts a request target in absolute form, as clients send it to a proxy, to origin form. The host of the target replaces
 * the header Host (RFC 9112 § 3.2.2).
 */
export function toOriginForm(request: IncomingMessage): IncomingMessage {
  const [, host, path] = /^http:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '') ?? [];
  if (host === undefined || path === undefined) return request;
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = host;
  const others = pairsOf(request.rawHeaders).filter(([name]) => name.toLowerCase() !== 'host');
  request.rawHeaders = ['Host', host, ...others.flat()];
  return request;
}

/** Pairs of name and value from Node's flat list of headers. */
export const pairsOf = (rawHeaders: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
    rawHeaders[2 * i] as string,
    rawHeaders[2 * i + 1] as string,
  ]);
