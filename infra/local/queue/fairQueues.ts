import { type Group, groupOf, type Message, type Queue, WaitingMessages } from './waitingMessages.ts';

// SQS serves the message groups of a standard queue fairly: while many messages of one group are in flight or wait, messages of
// other groups are received first. The embedded SQS ignores groups and serves messages in the order of arrival.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

/**
 * The most messages of a noisy group that are processed at once while there are quiet groups. On AWS each batch has its own
 * function environment. Here all share a few CPUs, and a group with thousands of messages would take them all.
 */
const processedMax = 2;

/** A group is noisy when more of its messages wait than fit in a batch. A quiet one that is limited falls behind when the work is slow. */
const quietMax = 10;

/** A message in flight for longer than this waits for something other than a CPU, and no longer counts as processed. */
const processingMs = 500;

/** A group counts as present for this long after its last message. */
const presentMs = 2000;

const fairlyServed = new WeakSet<Queue>();

/** Makes a queue serve its message groups fairly. */
export function serveFairly(queue: Queue): void {
  if (fairlyServed.has(queue)) return;
  fairlyServed.add(queue);
  const order = new FairOrder(queue);
  const dequeue = queue.dequeue.bind(queue);
  const notifyWaiters = queue.notifyWaiters.bind(queue);
  let isReceiving = false;
  // Otherwise a call that waits would return without a message, and come again at once, as long as all groups are at their limits.
  queue.notifyWaiters = () => {
    if (!isReceiving && order.hasNext()) notifyWaiters();
  };
  const takeOnly = <Result>(messages: Message[], take: () => Result): Result => {
    const waiting = queue.messages;
    isReceiving = true;
    queue.messages = messages;
    try {
      return take();
    } finally {
      // What is left: messages that became visible just now.
      waiting.push(...queue.messages);
      queue.messages = waiting;
      isReceiving = false;
    }
  };
  queue.dequeue = (count, ...more) => {
    queue.processTimers();
    const received: ReturnType<Queue['dequeue']> = [];
    // `dequeue` may return fewer messages than it takes: it moves some to the dead-letter queue.
    while (received.length < count) {
      const next = order.next(count - received.length);
      if (next.length === 0) break;
      const taken = takeOnly(next, () => dequeue(next.length, ...more));
      order.begin(taken.map(({ ReceiptHandle }) => ReceiptHandle));
      received.push(...taken);
    }
    return received;
  };
}

/** Chooses the messages that are received next. */
class FairOrder {
  private readonly queue: Queue;
  private readonly waiting: WaitingMessages;
  /** The last time that each message, and a message of each group, was received. Epoch milliseconds. */
  private readonly receivedAt = new WeakMap<Message, number>();
  private readonly lastReceived = new Map<Group, number>();

  constructor(queue: Queue) {
    this.queue = queue;
    this.waiting = new WaitingMessages(queue);
  }

  /**
   * Takes at most `count` messages, from the groups with the fewest in flight; of those, from the one that was received longest ago.
   */
  next(count: number): Message[] {
    const { waiting, inFlight, processed, isFull } = this.state();
    const next: Message[] = [];
    while (next.length < count) {
      const groups = [...waiting.keys()].filter((group) => !isFull(group));
      if (groups.length === 0) break;
      const group = groups.reduce((least, one) => (this.isBefore(one, least, inFlight) ? one : least));
      next.push(this.waiting.take(group));
      add(inFlight, group);
      add(processed, group);
    }
    return next;
  }

  /** Whether `next` would take a message. */
  hasNext(): boolean {
    const { waiting, isFull } = this.state();
    return [...waiting.keys()].some((group) => !isFull(group));
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
  private counts(): [inFlight: Map<Group, number>, processed: Map<Group, number>] {
    const [inFlight, processed] = [new Map<Group, number>(), new Map<Group, number>()];
    const since = Date.now() - processingMs;
    for (const { message } of this.queue.inflightMessages.values()) {
      add(inFlight, groupOf(message));
      if ((this.receivedAt.get(message) ?? 0) > since) add(processed, groupOf(message));
    }
    return [inFlight, processed];
  }

  private state() {
    const [inFlight, processed] = this.counts();
    const waiting = this.waiting.byGroup();
    const noisy = noisyGroups(waiting);
    const hasQuiet = [...waiting.keys(), ...this.recent()].some((group) => !noisy.has(group));
    const limited = hasQuiet ? noisy : new Set();
    const isFull = (group: Group) => limited.has(group) && (processed.get(group) ?? 0) >= processedMax;
    return { waiting, inFlight, processed, isFull };
  }

  private recent(): Iterable<Group> {
    const since = Date.now() - presentMs;
    for (const [group, at] of this.lastReceived) if (at < since) this.lastReceived.delete(group);
    return this.lastReceived.keys();
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
