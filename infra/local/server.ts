import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorBody } from '../../lib/errors.ts';
import { StartError } from './startError.ts';

/** API Gateway's limit for all headers together. */
const headerBytesMax = 10_240;

export interface Listening {
  server: Server;
  url: string;
}

/** @throws StartError when the port is taken */
export async function listen(port: number, listener: RequestListener): Promise<Listening> {
  const server = createServer({ maxHeaderSize: headerBytesMax }, listener);
  // What is no HTTP never becomes a request, and still deserves an answer of the one shape.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
    const message = tooLong
      ? `The headers must be at most ${headerBytesMax} bytes together`
      : 'The request is not valid HTTP';
    const body = JSON.stringify(errorBody(400, message));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken. End what listens there, or choose another port with --port.`,
      );
    throw new StartError(`Port ${port} cannot be used: ${error.message}`);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
