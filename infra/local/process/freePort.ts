import { createServer } from 'node:net';

/** Returns a free port of this machine, for programs that cannot choose one themselves. Another program may take it first. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
