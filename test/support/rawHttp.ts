import { type IncomingMessage, request } from 'node:http';
import { apiUrl, type Reply } from './api.ts';

export interface RawRequest {
  method: string;
  /** As it is put on the wire, below the base URL. */
  path: string;
  /** Name and value in turn: names keep their case, and may be given twice. */
  headers?: string[];
  body?: string | Buffer;
}

/** Sends what fetch would tidy up or refuse to send. */
export async function sendRaw({ method, path, headers = [], body }: RawRequest): Promise<Reply<unknown>> {
  const { hostname, port, pathname } = new URL(apiUrl);
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method,
      path: pathname + path,
      headers: ['Host', `${hostname}:${port}`, ...headers, ...length],
      agent: false,
    });
    outgoing.once('response', resolve).once('error', reject).end(body);
  });
  const text = Buffer.concat(await message.toArray()).toString();
  return {
    status: message.statusCode as number,
    headers: new Headers(message.headers as Record<string, string>),
    body: text === '' ? '' : JSON.parse(text),
  };
}
