import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { webhooks } from './build/api.ts';

/** Any event that is posted to a receiver. Its `type` names the kind. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

export interface Receiver {
  url: string;
  /** From now on, this secret is what verifies. */
  trust(secret: string): void;
  /** What came and was verified, oldest first. */
  events: WebhookEvent[];
  close(): void;
}

/** A receiver on this machine. */
export async function receive(): Promise<Receiver> {
  const events: WebhookEvent[] = [];
  let webhook: Webhook | undefined;
  const server = createServer(async (request, response) => {
    const event = verified(webhook, await text(request), request.headers);
    if (event) events.push(event);
    response.writeHead(event ? 204 : 400).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address?.port;
  return {
    url: `http://127.0.0.1:${port}/`,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    events,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function verified(
  webhook: Webhook | undefined,
  body: string,
  headers: IncomingHttpHeaders,
): WebhookEvent | undefined {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  try {
    const event = webhook?.verify(body, signed);
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** What is signed was sent by the API, and is what the document says. */
const isEvent = (signed: unknown): signed is WebhookEvent =>
  typeof signed === 'object' && signed !== null && 'type' in signed;

/** An event in a few words. A program gets to know only the types that it was made for, and has to bear others. */
export function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'contact.created':
      return `${'email' in event.data ? event.data.email : event.data.id} was created`;
    case 'order.paid':
      return `order ${event.data.id} was ${event.previous.payment_status} and is paid`;
    case 'webhook.test':
      return 'it works';
    default:
      return `${event.type} of ${event.resource.id}`;
  }
}
