import type { IncomingHttpHeaders } from 'node:http';
import type { Message as ReceivedMessage } from '@aws-sdk/client-sqs';

// SQS serves the message groups of a standard queue fairly, so a group with many messages does not hold up the others. The
// embedded SQS does not know groups of standard queues. So the group is stored as a message attribute, and the groups of a queue
// take turns.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

export interface Message {
  messageAttributes: Record<string, { StringValue?: string }>;
}

export interface Queue {
  /** The waiting messages. The queue takes them from the front, and adds each with `push`. */
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

/** Makes the groups of a queue take turns. Messages without a group form one group. */
export function serveInTurn(queue: Queue): void {
  if (servedInTurn.has(queue.messages)) return;
  const messages = inRounds();
  servedInTurn.add(messages);
  messages.push(...queue.messages);
  queue.messages = messages;
}

/**
 * Returns a list in which the first message of each group comes before the second message of any group. A new message belongs to the round
 * after its group's last message, or to the current round if that is later, so a group gains nothing from having been idle.
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
