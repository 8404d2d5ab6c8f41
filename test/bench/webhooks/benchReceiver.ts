import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it came. */
export interface Arrival {
  /** `webhook-id`: the same in every attempt. */
  id: string;
  /** When the change was made that it tells of, epoch milliseconds. */
  changedAt: number;
  /** From then to the last byte of the first attempt. */
  ms: number;
}

/** A receiver on loopback. */
export interface BenchReceiver {
  url: string;
  /** In their order. One that comes twice is in it twice. */
  arrivals: Arrival[];
  /** From now on it takes everything and says nothing. */
  fallSilent(): void;
  /** From now on it refuses connections; those that are open end. */
  close(): Promise<void>;
}

/** Starts a receiver that answers at once. */
export async function openReceiver(): Promise<BenchReceiver> {
  const arrivals: Arrival[] = [];
  let silent = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
        const changedAt = Date.parse(timestamp as string);
        arrivals.push({ id: id as string, changedAt, ms: Date.now() - changedAt });
        if (!silent) response.writeHead(204).end();
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    fallSilent: () => {
      silent = true;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
