import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

/** Any region: its host name of DynamoDB leads to the proxy. */
export const region = 'eu-central-1';

/** A TLS proxy before the embedded database, which has no TLS: so a function's calls are as in production. */
export interface TlsProxy {
  port: number;
  close(): Promise<void>;
}

export async function startTlsProxy(databaseEndpoint: string): Promise<TlsProxy> {
  const { hostname, port } = new URL(databaseEndpoint);
  const pem = readFileSync(new URL('../../support/http/certificates/localhost.pem', import.meta.url));
  // Without noDelay a part of a request would wait, up to 40 ms, until the part before has been acknowledged.
  const server = createServer({ key: pem, cert: pem, noDelay: true }, (client) => {
    const database = connect({ host: hostname, port: Number(port), noDelay: true });
    client.pipe(database).pipe(client);
    // The function's process ends with its connections open.
    client.on('error', () => database.destroy()).on('close', () => database.destroy());
    database.on('error', () => client.destroy());
  });
  // A client may end during the handshake.
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
