import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Random } from '../../simulation/random.ts';
import { listening } from '../../support/http/loopback.ts';

/** A message as SQS hands it over. */
interface Received {
  MessageId: string;
  ReceiptHandle: string;
}

interface Call {
  action: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** SQS can keep a message back for whole seconds. */
const lateSeconds = 3;

/** How many of a hundred calls fail, and as many lose their answer. */
const faultyPercent = 4;

/**
 * SQS between the product and the stack, at its worst: every message comes twice, late and in any order, and calls fail before or after
 * they had their effect. It keeps nothing itself, so nothing is lost when a process is killed.
 */
export class UnreliableQueues {
  private readonly random: Random;
  /** The address of the queues of the stack, which is another one after a restart. */
  private readonly target: () => string;
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });
  /** Messages that come once more. */
  private copies: Received[] = [];
  /** What the product has got and not deleted. */
  private readonly taken = new Map<string, Call>();
  private nth = 0;
  readonly counts = { sent: 0, received: 0, repeated: 0, late: 0, failed: 0 };

  constructor(random: Random, target: () => string) {
    this.random = random;
    this.target = target;
  }

  open = (): Promise<string> => listening(this.server);

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** What a killed product had taken comes again at once, and not after two minutes. */
  async giveBack(): Promise<void> {
    this.copies = [];
    for (const [receipt, call] of this.taken) await this.hide(call, receipt, 0);
    this.taken.clear();
  }

  private percent = (share: number): boolean => this.random.below(100) < share;

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const call: Call = {
      action: String(headers['x-amz-target']).replace('AmazonSQS.', ''),
      headers: headers as Record<string, string>,
      body: JSON.parse(await text(request)),
    };
    if (this.percent(faultyPercent)) {
      this.counts.failed += 1;
      return void response.writeHead(500).end('{}');
    }
    const answer = await this[call.action as 'SendMessage' | 'ReceiveMessage' | 'DeleteMessage'](call);
    if (call.action !== 'ReceiveMessage' && this.percent(faultyPercent)) {
      this.counts.failed += 1;
      return void response.destroy();
    }
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answer);
  }

  private async forward({ action, headers, body }: Call): Promise<string> {
    const answer = await fetch(this.target(), {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': `AmazonSQS.${action}` },
      body: JSON.stringify(body),
    });
    const content = await answer.text();
    if (!answer.ok) throw new Error(content);
    return content;
  }

  private hide = ({ headers, body: { QueueUrl } }: Call, ReceiptHandle: string, VisibilityTimeout: number) =>
    this.forward({
      action: 'ChangeMessageVisibility',
      headers,
      body: { QueueUrl, ReceiptHandle, VisibilityTimeout },
    }).catch(() => {});

  private async SendMessage(call: Call): Promise<string> {
    const late = () => ({
      ...call,
      body: { ...call.body, DelaySeconds: this.random.below(lateSeconds) },
    });
    this.counts.sent += 1;
    await this.forward(late());
    return this.forward(late());
  }

  private async ReceiveMessage(call: Call): Promise<string> {
    const body = { ...call.body, WaitTimeSeconds: this.random.below(2) };
    const { Messages = [] } = JSON.parse(await this.forward({ ...call, body })) as { Messages?: Received[] };
    const now: Received[] = [];
    for (const message of Messages) {
      if (this.percent(30)) {
        this.counts.late += 1;
        await this.hide(call, message.ReceiptHandle, 1 + this.random.below(lateSeconds));
        continue;
      }
      this.taken.set(message.ReceiptHandle, call);
      this.counts.received += 1;
      now.push(message);
      this.copies.push({ ...message, ReceiptHandle: `copy-${++this.nth}` });
    }
    for (const copy of this.copies.splice(0, this.random.below(12))) {
      this.counts.repeated += 1;
      now.splice(this.random.below(now.length + 1), 0, copy);
    }
    return JSON.stringify({ Messages: now });
  }

  private async DeleteMessage(call: Call): Promise<string> {
    const receipt = String(call.body.ReceiptHandle);
    if (receipt.startsWith('copy-')) return '{}';
    const answer = await this.forward(call);
    this.taken.delete(receipt);
    return answer;
  }
}
