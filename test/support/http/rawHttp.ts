import { type IncomingMessage, request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { apiUrl, type Reply } from './api.ts';

export interface RawRequest {
  method: string;
  /** As it is put on the wire, below the base URL. */
  path: string;
  /** Name and value in turn: names keep their case, and may be given twice. */
  headers?: string[];
  body?: string | Buffer;
}

/** Sends requests that fetch would normalize or refuse. @param base the URL that paths are below */
export async function sendRaw(
  { method, path, headers = [], body }: RawRequest,
  base = apiUrl,
): Promise<Reply<unknown>> {
  const { protocol, host, hostname, port, pathname } = new URL(base);
  const send = protocol === 'https:' ? requestOverTls : request;
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send({
      hostname,
      port,
      method,
      path: pathname + path,
      headers: ['Host', host, ...headers, ...length],
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

/** A connection to the server of a URL, with some text sent over it as it is. */
export async function dial(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once('error', reject).write(text, resolve));
  return socket;
}

/** All answers on a connection, until the server closes it. */
export async function answersOn(socket: Socket): Promise<Reply<unknown>[]> {
  let text = Buffer.concat(await socket.toArray()).toString();
  const replies: Reply<unknown>[] = [];
  while (text !== '') {
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const [status = '', ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    const body = rest.join('\r\n\r\n');
    const length = Number(headers.get('Content-Length'));
    replies.push({ status: Number(status.split(' ')[1]), headers, body: JSON.parse(body.slice(0, length)) });
    text = body.slice(length);
  }
  return replies;
}
