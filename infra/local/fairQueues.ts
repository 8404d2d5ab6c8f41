import { groupAttribute } from './systemAttributes.ts';

// SQS serves the groups of a standard queue fairly: while many messages of one group are in flight or wait, those of the
// others are received first. The embedded SQS knows groups and serves in the order of arrival.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html

interface Message {
  messageAttributes: Record<string, { StringValue?: string }>;
}

const groupOf = ({ messageAttributes }: Message): string | undefined =>
  messageAttributes[groupAttribute]?.StringValue;

/** A queue of the embedded SQS: what waits, in the order in which it is received, and what is in flight. */
export interface Queue {
  messages: Message[];
  inflightMessages: ReadonlyMap<string, { message: Message }>;
}

/** The most that one request receives. */
const receivedAtOnce = 10;

/** So many are looked at for the sake of fairness: to look at all of a long queue for each request would take ever longer. */
const lookedAt = 20_000;

/** Brings those messages to the front that are the next to be received: of the groups with the fewest in flight. */
export function serveFairly(queue: Queue): void {
  const inFlight = new Map<string | undefined, number>();
  for (const { message } of queue.inflightMessages.values()) count(inFlight, message);
  const waiting = Map.groupBy(queue.messages.slice(0, lookedAt), groupOf);
  if (waiting.size < 2) return;
  const next = new Set<Message>();
  while (next.size < receivedAtOnce && waiting.size > 0) {
    const [group, messages] = [...waiting].reduce((least, one) =>
      (inFlight.get(one[0]) ?? 0) < (inFlight.get(least[0]) ?? 0) ? one : least,
    );
    const message = messages.shift() as Message;
    if (messages.length === 0) waiting.delete(group);
    next.add(message);
    count(inFlight, message);
  }
  queue.messages = [...next, ...queue.messages.filter((message) => !next.has(message))];
}

function count(inFlight: Map<string | undefined, number>, message: Message): void {
  const group = groupOf(message);
  inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
}
