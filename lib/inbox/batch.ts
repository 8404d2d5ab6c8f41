import { ingest } from './ingest.ts';
import { moveToRetries, type Received } from './retries.ts';

/**
 * Takes in a batch of a queue. When an invocation dies, all its messages come back, and nobody knows which of them was the
 * cause. So a message that comes back is never taken in together with others: it goes to the queue for retries, where it
 * has an invocation of its own and no message shares its fate.
 * @param deadline epoch milliseconds after which nothing more is begun
 * @returns the ids of the messages that have to come again
 */
export async function ingestBatch(messages: readonly Received[], deadline: number): Promise<string[]> {
  if (messages.length === 1) return ingest(messages, deadline);
  const comeBack = messages.filter(({ receives }) => receives > 1);
  const stay = comeBack.length > 0 ? await moveToRetries(comeBack) : [];
  const failed = await ingest(
    messages.filter(({ receives }) => receives === 1),
    deadline,
  );
  return [...stay, ...failed];
}
