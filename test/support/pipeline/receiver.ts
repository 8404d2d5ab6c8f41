import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request to a receiver. */
export interface WebhookRequest {
  /** The path of its URL, which identifies the subscription. */
  path: string;
  /** The value of `webhook-id`. */
  id: string;
  body: string;
  /** Epoch milliseconds. */
  at: number;
  /** The secrets with which the public library verifies it. */
  verifiedBy: string[];
}

/** The answer of a receiver: a status, with or without headers. */
export type Reply = number | { status: number; headers: Record<string, string> };

/** A receiver on loopback that keeps all requests. */
export class Receiver {
  readonly received: WebhookRequest[] = [];
  /** Returns its answer to a request. A test may replace it. */
  reply: (received: WebhookRequest) => Reply | Promise<Reply> = () => 204;
  private readonly secrets = new Map<string, string[]>();
  private readonly bodies = new Map<string, string>();
  private readonly server: Server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const received = this.note(request, body);
    const reply = await this.reply(received);
    const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
    // The body is a canary: no log line may contain it.
    response.writeHead(status, headers).end(status === 204 ? undefined : 'a canary of the receiver');
  });

  /** @param port the earlier port of a receiver that is opened again */
  async open(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** A URL with this path. Its query is a canary, too. */
  url(path: string): string {
    return `http://127.0.0.1:${this.port}/${path}?token=canary`;
  }

  /** Adds a secret that verifies the requests to a path. */
  trust(path: string, secret: string): void {
    this.secrets.set(path, [...(this.secrets.get(path) ?? []), secret]);
  }

  /** Requests to a path are verified with the secrets of another path. */
  alias(path: string, of: string): void {
    this.secrets.set(path, this.secrets.get(of) ?? []);
  }

  /** The requests to a path. */
  requestsAt(path: string): WebhookRequest[] {
    return this.received.filter((one) => one.path === path);
  }

  private note(request: IncomingMessage, body: string): WebhookRequest {
    const path = new URL(request.url ?? '', 'http://receiver').pathname.slice(1);
    const headers = request.headers as Record<string, string>;
    const verifiedBy = (this.secrets.get(path) ?? []).filter((secret) => isVerified(secret, body, headers));
    const received = {
      path,
      id: headers['webhook-id'] ?? '',
      body: this.kept(body),
      at: Date.now(),
      verifiedBy,
    };
    this.received.push(received);
    return received;
  }

  /** Keeps equal bodies only once, to save memory. */
  private kept(body: string): string {
    const kept = this.bodies.get(body) ?? body;
    this.bodies.set(kept, kept);
    return kept;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function isVerified(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
