import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { headerBytesMax, refuseBelowHttp } from './refusal.ts';
import { StartError } from './startError.ts';

export interface Listening {
  server: Server;
  url: string;
}

/** @throws StartError when the port is taken */
export async function listen(port: number, listener: RequestListener): Promise<Listening> {
  // A request without the header Host would be refused by Node itself, with an answer that has no body.
  const server = createServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false }, listener);
  refuseBelowHttp(server);
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

/** How long requests under way may still take when the server closes. */
const graceMs = 1000;

/** Closes a server and, after a moment of grace, every connection that somebody still holds open. */
export async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(timer);
}
