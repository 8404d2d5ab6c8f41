import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { inject, onTestFinished, TestRunner } from 'vitest';
import { loopbackAllowed } from '../../../lib/webhooks/sending/receiverAddress.ts';
import { listening } from './loopback.ts';

/** What a receiver does after it has read a whole request. */
export type Behaviour = (socket: Socket, request: string) => void;

export interface Receiver {
  port: number;
  /** The requests as they came, head and body. */
  requests: string[];
  /** The number of bytes that it has sent on all connections. */
  sent(): number;
  /** Resolves when every connection so far has closed. */
  idle(): Promise<void>;
}

/**
 * A key and its own certificate, good for a hundred years but for `expired`. Made for these tests by
 * `openssl ca -selfsign` with CA:true, so that each can be trusted as it is.
 */
export const certificate = (name: 'localhost' | 'elsewhere' | 'unknown' | 'expired'): string =>
  readFileSync(new URL(`./certificates/${name}.pem`, import.meta.url), 'utf8');

/** Starts a receiver that ends with the test. With a certificate it speaks TLS. */
export async function aReceiver(behaviour: Behaviour, pem?: string): Promise<Receiver> {
  const requests: string[] = [];
  const server: Server = pem ? createTlsServer({ key: pem, cert: pem }) : createServer();
  server.on(pem ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => {});
    let text = '';
    socket.on('data', function readCounter(chunk) {
      text += chunk;
      if (!isWhole(text)) return;
      socket.off('data', readCounter).resume();
      requests.push(text);
      behaviour(socket, text);
    });
  });
  return { requests, ...(await opened(server)) };
}

/** A server that calls `greet` for every new connection. */
export async function aServer(greet: (socket: Socket) => void): Promise<Receiver> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    greet(socket);
  });
  return { requests: [], ...(await opened(server)) };
}

/** Unlike `once` of node:events, this does not reject after an error. */
const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    if (socket.closed) resolve(undefined);
    else socket.once('close', resolve);
  });

async function opened(server: Server): Promise<Omit<Receiver, 'requests'>> {
  if (inject('stackName') !== undefined && !loopbackAllowed())
    TestRunner.getCurrentTest()?.context.skip('A deployed stack does not send to this machine');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.on('tlsClientError', () => {});
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: Number(new URL(await listening(server)).port),
    sent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    idle: async () => {
      await Promise.all(sockets.map(closed));
    },
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  return end >= 0 && Buffer.byteLength(text.slice(end + 4)) >= length;
}

/** Sends this, and then ends the connection. */
export const endsAfter =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    socket.end(text);

/** Sends this byte by byte, as far as the receiver may, and then ends the connection. */
export const inBytes =
  (text: string): Behaviour =>
  async (socket) => {
    socket.setNoDelay();
    for (const byte of Buffer.from(text)) {
      if (socket.destroyed) return;
      socket.write(Buffer.of(byte));
      await setImmediate();
    }
    socket.end();
  };

/** Sends this, and then nothing more. */
export const stopsAfter =
  (text: string): Behaviour =>
  (socket) =>
    socket.write(text);

export const neverAnswers: Behaviour = () => {};

/** Sends this, and then resets the connection. */
export const resetsAfter =
  (text: string): Behaviour =>
  (socket) =>
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));

/** Sends the first text at once, and the second one again every few milliseconds. */
export const drips =
  (first: string, drop: string): Behaviour =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), 10);
    socket.once('close', () => clearInterval(timer));
  };

/** Sends the first text, and then the second one again as fast as it is read. */
export const floods =
  (first: string | Buffer, more: string | Buffer): Behaviour =>
  (socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on('drain', pour).write(first);
    pour();
  };

/** The head and body of an answer with a Content-Length. */
export const answer = (status: string, headers: string[] = [], body: string | Buffer = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n'),
    ),
    Buffer.from(body),
  ]);

/** 50 MB of zeros in 50 KB. */
export const gzipBomb = (): Buffer => gzipSync(Buffer.alloc(50 * 1024 * 1024));

/** A request as it came, in its parts; the names of the headers in small letters. */
export function partsOf(request: string): { line: string; headers: Record<string, string>; body: string } {
  const end = request.indexOf('\r\n\r\n');
  const [line = '', ...lines] = request.slice(0, end).split('\r\n');
  const headers = lines.map((text) => {
    const at = text.indexOf(': ');
    return [text.slice(0, at).toLowerCase(), text.slice(at + 2)];
  });
  return { line, headers: Object.fromEntries(headers), body: request.slice(end + 4) };
}
