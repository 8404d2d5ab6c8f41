import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendRaw } from './support/http/rawHttp.ts';

/** The first byte of a connection over TLS. https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const handshake = 22;

test.each([
  ['http', 'G'.charCodeAt(0)],
  ['https', handshake],
])('a request to an address of %s is sent over that', async (protocol, expected) => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const connected = once(server, 'connection');
  const sent = sendRaw({ method: 'GET', path: '/' }, `${protocol}://127.0.0.1:${port}/v1`);
  const [socket] = await connected;
  const [data] = await once(socket, 'data');
  socket.destroy();
  await expect(sent).rejects.toThrow();
  expect(data[0]).toBe(expected);
});
