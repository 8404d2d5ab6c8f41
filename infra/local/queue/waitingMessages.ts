import { groupAttribute } from './systemAttributes.ts';

export interface Message {
  messageAttributes: Record<string, { StringValue?: string }>;
}

/** A queue of the embedded SQS. `messages` are those that wait, in the order in which they are received. */
export interface Queue {
  messages: Message[];
  inflightMessages: ReadonlyMap<string, { message: Message }>;
  /** Takes messages from the front. */
  dequeue(count: number, ...more: never[]): { ReceiptHandle: string }[];
  /** Returns messages to `messages` whose visibility timeout is over. */
  processTimers(): void;
  /** Resolves the ReceiveMessage calls that wait for messages. */
  notifyWaiters(): void;
}

/** The group of a message; undefined when it has none. */
export type Group = string | undefined;

export const groupOf = ({ messageAttributes }: Message): Group =>
  messageAttributes[groupAttribute]?.StringValue;

/**
 * The messages of a queue that wait, by group. The embedded SQS only adds messages at the end of its list, so each is looked at once,
 * however long the queue is.
 */
export class WaitingMessages {
  private readonly queue: Queue;
  private list: Message[] = [];
  /** How many messages of the list are in `groups`. */
  private known = 0;
  private groups = new Map<Group, Message[]>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  byGroup(): ReadonlyMap<Group, readonly Message[]> {
    const { messages } = this.queue;
    // The queue was emptied.
    if (this.list !== messages || messages.length < this.known) {
      this.list = messages;
      this.groups = new Map();
      this.known = 0;
    }
    for (; this.known < messages.length; this.known++) this.add(messages[this.known] as Message);
    return this.groups;
  }

  /** Takes the oldest message of a group. */
  take(group: Group): Message {
    const messages = this.groups.get(group) as [Message, ...Message[]];
    const message = messages.shift() as Message;
    if (messages.length === 0) this.groups.delete(group);
    this.list.splice(this.list.indexOf(message), 1);
    this.known -= 1;
    return message;
  }

  private add(message: Message): void {
    const group = groupOf(message);
    const messages = this.groups.get(group);
    if (messages) messages.push(message);
    else this.groups.set(group, [message]);
  }
}
