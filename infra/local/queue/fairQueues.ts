import { groupAttribute } from './systemAttributes.ts';

// SQS serves the message groups of a standard queue fairly: while many messages of one group are in flight or wait, messages of
// other groups are received first. The embedded SQS ignores groups and serves messages in the order of arrival.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

interface Message {
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

/** Only so many messages at the front of the queue are ordered fairly: the whole of a long queue would take too long. */
const fairnessWindow = 20_000;

/**
 * The most messages of a noisy group that are processed at once while there are other groups. On AWS each batch has its own
 * function environment. Here all share a few CPUs, and a group with thousands of messages would take them all.
 */
const processedMax = 2;

/** A group is noisy when more of its messages wait than fit in a batch. A quiet one that is limited falls behind when the work is slow. */
const quietMax = 10;

/** A message in flight for longer than this waits for something other than a CPU, and no longer counts as processed. */
const processingMs = 500;

/** A group counts as present for this long after its last message. */
const presentMs = 2000;

type Group = string | undefined;

const groupOf = ({ messageAttributes }: Message): Group => messageAttributes[groupAttribute]?.StringValue;

const fairlyServed = new WeakSet<Queue>();

/** Makes a queue serve its message groups fairly. */
export function serveFairly(queue: Queue): void {
  if (fairlyServed.has(queue)) return;
  fairlyServed.add(queue);
  const order = new FairOrder(queue);
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (count, ...more) => {
    queue.processTimers();
    const received: ReturnType<Queue['dequeue']> = [];
    // `dequeue` may return fewer messages than it takes: it moves some to the dead-letter queue.
    while (received.length < count) {
      const waiting = queue.messages;
      const next = order.next(count - received.length);
      if (next.size === 0) break;
      queue.messages = [...next];
      const taken = dequeue(next.size, ...more);
      // `queue.messages` has those that were not taken, and those that became visible just now.
      queue.messages = [...queue.messages, ...waiting.filter((message) => !next.has(message))];
      order.begin(taken.map(({ ReceiptHandle }) => ReceiptHandle));
      received.push(...taken);
    }
    return received;
  };
}

/** Chooses the messages that are received next. */
class FairOrder {
  private readonly queue: Queue;
  /** The last time that each message, and a message of each group, was received. Epoch milliseconds. */
  private readonly receivedAt = new WeakMap<Message, number>();
  private readonly lastReceived = new Map<Group, number>();

  constructor(queue: Queue) {
    this.queue = queue;
  }

  /** At most `count` messages, from the groups with the fewest in flight; of those, from the one that was received longest ago. */
  next(count: number): Set<Message> {
    const [inFlight, workedOn] = this.counts();
    const waiting = Map.groupBy(this.queue.messages.slice(0, fairnessWindow), groupOf);
    const limited = this.isAlone([...waiting.keys()]) ? new Set() : noisyGroups(waiting);
    const isFull = (group: Group) => limited.has(group) && (workedOn.get(group) ?? 0) >= processedMax;
    for (const group of waiting.keys()) if (isFull(group)) waiting.delete(group);
    const next = new Set<Message>();
    while (next.size < count && waiting.size > 0) {
      const [group, messages] = [...waiting].reduce((least, one) =>
        this.isBefore(one[0], least[0], inFlight) ? one : least,
      );
      const message = messages.shift() as Message;
      next.add(message);
      add(inFlight, group);
      add(workedOn, group);
      if (messages.length === 0 || isFull(group)) waiting.delete(group);
    }
    return next;
  }

  private isBefore(group: Group, other: Group, inFlight: ReadonlyMap<Group, number>): boolean {
    const difference = (inFlight.get(group) ?? 0) - (inFlight.get(other) ?? 0);
    return difference < 0 || (difference === 0 && this.receivedLast(group) < this.receivedLast(other));
  }

  private receivedLast = (group: Group): number => this.lastReceived.get(group) ?? 0;

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

  /** The messages of each group in flight, and those of them that are processed. */
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

/** Messages without a group are nobody's. */
const noisyGroups = (waiting: ReadonlyMap<Group, readonly Message[]>): Set<Group> =>
  new Set(
    [...waiting].flatMap(([group, { length }]) => (group !== undefined && length > quietMax ? [group] : [])),
  );

function add(counts: Map<Group, number>, group: Group): void {
  counts.set(group, (counts.get(group) ?? 0) + 1);
}
