import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of this machine. @returns the address */
export async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
