import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bodyBytesMax, TooLarge } from './compression.ts';

type MultiValues = Record<string, string[]>;

/** An HTTP request as API Gateway reads it: header names keep their case, and repeated headers keep all values. */
export interface GatewayRequest {
  id: string;
  extendedId: string;
  receivedAt: number;
  httpMethod: string;
  path: string;
  headers: MultiValues;
  query: MultiValues;
  sourceIp: string;
  /** Host and port of the server. */
  address: string;
  body: string | null;
}

/** Reads a request. @throws TooLarge */
export async function readRequest(message: IncomingMessage, id: string): Promise<GatewayRequest> {
  const [path = '/', query = ''] = splitOnce(message.url ?? '/', '?');
  const { remoteAddress: sourceIp = '127.0.0.1', localPort } = message.socket;
  const added = {
    'X-Forwarded-For': forwardedFor(message.rawHeaders, sourceIp),
    'X-Forwarded-Port': String(localPort),
    'X-Forwarded-Proto': 'http',
  };
  return {
    id,
    extendedId: randomBytes(11).toString('base64'),
    receivedAt: Date.now(),
    httpMethod: message.method ?? 'GET',
    path,
    headers: headersOf(message.rawHeaders, added),
    query: queryOf(query),
    sourceIp,
    address: `127.0.0.1:${localPort}`,
    body: (await readBody(message))?.toString() ?? null,
  };
}

/** Adds the address of the connection after those that the client or CloudFront has sent, as on AWS. */
const forwardedFor = (raw: readonly string[], sourceIp: string): string =>
  [...pairsOf(raw).filter(([name]) => name.toLowerCase() === 'x-forwarded-for'), ['', sourceIp]]
    .map(([, value]) => value)
    .join(', ');

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Parses a query. A `;` separates parameters like `&`. A `?` is part of a name; an extra one is added because URLSearchParams removes the
 * first.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const queryOf = (query: string): MultiValues =>
  multi([...new URLSearchParams(`?${query.replaceAll(';', '&')}`)]);

/** Returns the client's headers without those of the connection. `added` replaces headers of the same name. */
function headersOf(raw: readonly string[], added: Record<string, string>): MultiValues {
  const dropped = new Set([
    ...Object.keys(added).map((name) => name.toLowerCase()),
    'connection',
    'transfer-encoding',
  ]);
  const kept = pairsOf(raw).filter(([name]) => !dropped.has(name.toLowerCase()));
  return multi([...kept, ...Object.entries(added)]);
}

function multi(pairs: [string, string][]): MultiValues {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}

/** Returns pairs of name and value from Node's flat list of headers. */
const pairsOf = (raw: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] as string, raw[2 * i + 1] as string]);

/**
 * Reads a body. A body that is too large is also read to its end, because a client that is cut off while sending does not get the response.
 * @returns null for an empty body
 * @throws TooLarge
 */
export async function readBody(message: IncomingMessage): Promise<Buffer | null> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) chunks = [];
    else chunks.push(chunk);
  }
  if (bytes > bodyBytesMax) throw new TooLarge();
  return bytes === 0 ? null : Buffer.concat(chunks);
}
