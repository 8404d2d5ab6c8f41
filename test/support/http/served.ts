import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listening } from './loopback.ts';

/** Answers requests on a free port of this machine until the test ends. @returns the address */
export function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return listening(server);
}
