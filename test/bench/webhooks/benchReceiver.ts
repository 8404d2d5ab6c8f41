import { createServer } from 'node:http';
import { listening } from '../../support/http/loopback.ts';

/** A webhook that arrived. */
export interface Arrival {
  /** `webhook-id`: the same in every attempt. */
  id: string;
  /** When its change was made, epoch milliseconds. */
  changedAt: number;
  /** Milliseconds from the change to the last byte of the first attempt. */
  ms: number;
}

/** A receiver on loopback. */
export interface BenchReceiver {
  url: string;
  /** In the order of arrival. A webhook that arrives twice is in it twice. */
  arrivals: Arrival[];
  /** From now on it reads requests and does not answer. */
  stopAnswering(): void;
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
  return {
    url: `${await listening(server)}/hook`,
    arrivals,
    stopAnswering: () => {
      silent = true;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
