import type { IncomingHttpHeaders } from 'node:http';
import type { Message as ReceivedMessage } from '@aws-sdk/client-sqs';

// SQS serves the message groups of a standard queue fairly: a group with many messages does not hold up the others. The embedded SQS
// knows no groups of standard queues: a group is stored as a message attribute, and the groups of a queue take turns.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

export interface Message {
  messageAttributes: Record<string, { StringValue?: string }>;
}

export interface Queue {
  /** The messages that wait. It takes them from the front, and adds each by `push`. */
  messages: Message[];
  /** Resolves the ReceiveMessage calls that wait for messages. */
  notifyWaiters(): void;
}

const groupAttribute = 'MessageGroupId';

interface SentMessage {
  MessageAttributes?: object;
  MessageGroupId?: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Stores the message group of each message that a request sends. */
export function keepMessageGroups(request: { body: unknown; headers: IncomingHttpHeaders }): void {
  const { body, headers } = request;
  const action = headers['x-amz-target'];
  if (!isObject(body)) return;
  const { Entries } = body as { Entries?: unknown };
  const batch = action === 'AmazonSQS.SendMessageBatch' && Array.isArray(Entries) ? Entries : [];
  const sent = action === 'AmazonSQS.SendMessage' ? [body] : batch.filter(isObject);
  for (const message of sent as SentMessage[])
    if (message.MessageGroupId !== undefined)
      message.MessageAttributes = {
        ...message.MessageAttributes,
        [groupAttribute]: { DataType: 'String', StringValue: message.MessageGroupId },
      };
}

/** @returns the message group of a received message, as a system attribute */
export function keptMessageGroup({ MessageAttributes = {} }: ReceivedMessage): Record<string, string> {
  const group = MessageAttributes[groupAttribute]?.StringValue;
  return group === undefined ? {} : { [groupAttribute]: group };
}

const servedInTurn = new WeakSet<Message[]>();

/** Makes the groups of a queue take turns. Messages without a group are one of them. */
export function serveInTurn(queue: Queue): void {
  if (servedInTurn.has(queue.messages)) return;
  const messages = inRounds();
  servedInTurn.add(messages);
  messages.push(...queue.messages);
  queue.messages = messages;
}

/**
 * A list in which the first message of each group comes before the second of any. So a new message is placed by its round, which is the one
 * after the last of its group, or that of the message at the front: the past of other groups does not put a group ahead.
 */
function inRounds(): Message[] {
  const list: Message[] = [];
  const rounds = new WeakMap<Message, number>();
  const lastRounds = new Map<string | undefined, number>();
  const roundOf = (message: Message | undefined): number => (message && rounds.get(message)) ?? 0;
  list.push = (...messages) => {
    for (const message of messages) {
      if (list.length === 0) lastRounds.clear();
      const group = message.messageAttributes[groupAttribute]?.StringValue;
      const round = Math.max(roundOf(list[0]), (lastRounds.get(group) ?? -1) + 1);
      rounds.set(message, round);
      lastRounds.set(group, round);
      list.splice(firstAfter(round), 0, message);
    }
    return list.length;
  };
  function firstAfter(round: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (roundOf(list[middle]) <= round) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  return list;
}
