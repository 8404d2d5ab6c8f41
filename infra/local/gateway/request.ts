import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { newRoot } from '../traceHeaders.ts';

type Multi = Record<string, string[]>;

/** An HTTP request as API Gateway sees it: header names as the client wrote them, every value of a repeated one kept. */
export interface GatewayRequest {
  id: string;
  extendedId: string;
  receivedAt: number;
  httpMethod: string;
  /** Without the query. */
  path: string;
  headers: Multi;
  query: Multi;
  sourceIp: string;
  body: string | null;
}

/**
 * The largest body. API Gateway itself takes 10 MB, but hands it to a Lambda, whose whole event may have 6 MB.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const bodyBytesMax = 6 * 1024 * 1024 - 64 * 1024;

export class TooLarge extends Error {}

/** @throws TooLarge */
export async function readRequest(message: IncomingMessage): Promise<GatewayRequest> {
  const [path = '/', query = ''] = splitOnce(message.url ?? '/', '?');
  const id = randomUUID();
  const sourceIp = message.socket.remoteAddress ?? '127.0.0.1';
  const added = {
    'X-Amzn-Trace-Id': newRoot(),
    'X-Forwarded-For': sourceIp,
    'X-Forwarded-Port': String(message.socket.localPort),
    'X-Forwarded-Proto': 'http',
  };
  return {
    id,
    extendedId: randomBytes(11).toString('base64'),
    receivedAt: Date.now(),
    httpMethod: message.method ?? 'GET',
    path,
    headers: headersOf(message.rawHeaders, added),
    query: multi([...new URLSearchParams(query)]),
    sourceIp,
    body: await readBody(message),
  };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The client's headers, less those that API Gateway puts its own in the place of, and less those of the connection. */
function headersOf(raw: readonly string[], added: Record<string, string>): Multi {
  const dropped = new Set([
    ...Object.keys(added).map((name) => name.toLowerCase()),
    'connection',
    'transfer-encoding',
  ]);
  const pairs: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) pairs.push([raw[i] as string, raw[i + 1] as string]);
  return multi([...pairs.filter(([name]) => !dropped.has(name.toLowerCase())), ...Object.entries(added)]);
}

function multi(pairs: [string, string][]): Multi {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

/**
 * Reads to the end also what is too large: a client that is cut off while it sends never sees the answer.
 * @returns null for none
 * @throws TooLarge
 */
export async function readBody(message: IncomingMessage): Promise<string | null> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) chunks = [];
    else chunks.push(chunk);
  }
  if (bytes > bodyBytesMax) throw new TooLarge();
  return bytes === 0 ? null : Buffer.concat(chunks).toString('utf8');
}
