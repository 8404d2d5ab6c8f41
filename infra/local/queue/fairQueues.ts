import { groupAttribute } from './systemAttributes.ts';

// SQS serves the groups of a standard queue fairly: while many messages of one group are in flight or wait, those of the
// others are received first. The embedded SQS knows groups and serves in the order of arrival.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

interface Message {
  messageAttributes: Record<string, { StringValue?: string }>;
}

/** A queue of the embedded SQS: what waits, in the order in which it is received, and what is in flight. */
export interface Queue {
  messages: Message[];
  inflightMessages: ReadonlyMap<string, { message: Message }>;
  /** Takes messages from the front. */
  dequeue(count: number, ...more: never[]): { ReceiptHandle: string }[];
  /** Brings back what is visible again. */
  processTimers(): void;
  /** Lets those look again who wait for messages. */
  notifyWaiters(): void;
}

/** So many are looked at for the sake of fairness: to look at all of a long queue for each request would take ever longer. */
const fairnessWindow = 20_000;

/**
 * So many messages of one group are worked on at a time, while there are others. On AWS there are as many functions as are
 * needed; here all share some processors, and a group with thousands of messages would have them all.
 */
const processedMax = 2;

/** Whoever takes longer than this waits for something, and not for a processor: it counts no longer. */
const processingMs = 500;

/** For so long after its last message, a group is still there. */
const presentMs = 2000;

type Group = string | undefined;

const groupOf = ({ messageAttributes }: Message): Group => messageAttributes[groupAttribute]?.StringValue;

const fairlyServed = new WeakSet<Queue>();

/** Makes a queue serve its groups fairly from now on. */
export function serveFairly(queue: Queue): void {
  if (fairlyServed.has(queue)) return;
  fairlyServed.add(queue);
  const turns = new FairOrder(queue);
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (count, ...more) => {
    queue.processTimers();
    const received: ReturnType<Queue['dequeue']> = [];
    // Again, as some may have become dead letters instead.
    while (received.length < count) {
      const waiting = queue.messages;
      const next = turns.next(count - received.length);
      if (next.size === 0) break;
      queue.messages = [...next];
      const taken = dequeue(next.size, ...more);
      // Beside those that were not taken are those that have become visible just now.
      queue.messages = [...queue.messages, ...waiting.filter((message) => !next.has(message))];
      turns.begin(taken.map(({ ReceiptHandle }) => ReceiptHandle));
      received.push(...taken);
    }
    return received;
  };
}

/** Whose messages of a queue are received next. */
class FairOrder {
  private readonly queue: Queue;
  /** When a message was last received, and one of a group. Epoch milliseconds. */
  private readonly receivedAt = new WeakMap<Message, number>();
  private readonly lastReceived = new Map<Group, number>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** At most `count` messages, of the groups with the fewest in flight. */
  next(count: number): Set<Message> {
    const [inFlight, workedOn] = this.counts();
    const waiting = Map.groupBy(this.queue.messages.slice(0, fairnessWindow), groupOf);
    const isAlone = this.isAlone([...waiting.keys()]);
    const isFull = (group: Group) =>
      !isAlone && group !== undefined && (workedOn.get(group) ?? 0) >= processedMax;
    for (const group of waiting.keys()) if (isFull(group)) waiting.delete(group);
    const next = new Set<Message>();
    while (next.size < count && waiting.size > 0) {
      const [group, messages] = [...waiting].reduce((least, one) =>
        (inFlight.get(one[0]) ?? 0) < (inFlight.get(least[0]) ?? 0) ? one : least,
      );
      const message = messages.shift() as Message;
      next.add(message);
      add(inFlight, group);
      add(workedOn, group);
      if (messages.length === 0 || isFull(group)) waiting.delete(group);
    }
    return next;
  }

  /** @param handles of messages that were received */
  begin(handles: readonly string[]): void {
    const now = Date.now();
    for (const handle of handles) {
      const message = this.queue.inflightMessages.get(handle)?.message;
      if (!message) continue;
      this.receivedAt.set(message, now);
      this.lastReceived.set(groupOf(message), now);
    }
  }

  /** How many messages of each group are in flight, and how many are worked on. */
  private counts(): [inFlight: Map<Group, number>, workedOn: Map<Group, number>] {
    const [inFlight, workedOn] = [new Map<Group, number>(), new Map<Group, number>()];
    const since = Date.now() - processingMs;
    for (const { message } of this.queue.inflightMessages.values()) {
      add(inFlight, groupOf(message));
      if ((this.receivedAt.get(message) ?? 0) > since) add(workedOn, groupOf(message));
    }
    return [inFlight, workedOn];
  }

  private isAlone(waiting: readonly Group[]): boolean {
    const since = Date.now() - presentMs;
    for (const [group, at] of this.lastReceived) if (at < since) this.lastReceived.delete(group);
    return new Set([...waiting, ...this.lastReceived.keys()]).size < 2;
  }
}

function add(counts: Map<Group, number>, group: Group): void {
  counts.set(group, (counts.get(group) ?? 0) + 1);
}
