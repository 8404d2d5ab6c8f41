import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

/** Any: its name for DynamoDB leads to the stand-in, too. */
export const region = 'eu-central-1';

/** TLS before a database that has none, so that a function's calls to it are as in production. */
export interface StandIn {
  port: number;
  close(): Promise<void>;
}

export async function startStandIn(databaseEndpoint: string): Promise<StandIn> {
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
  // One that ends while its connection is made is no matter either.
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
