import { ingest } from './ingest.ts';
import { moveToRetries, type ReceivedMessage } from './retries.ts';

/**
 * Processes a batch of a queue. When an invocation dies, all its messages come back, and the cause is unknown. So a message that
 * comes back is never processed together with others: it goes to the retry queue, where it has an invocation of its own.
 * @param deadline epoch milliseconds after which no more work begins
 * @returns the ids of the messages that have to be received again
 */
export async function ingestBatch(messages: readonly ReceivedMessage[], deadline: number): Promise<string[]> {
  if (messages.length === 1) return ingest(messages, deadline);
  const comeBack = messages.filter(({ receives }) => receives > 1);
  const stay = comeBack.length > 0 ? await moveToRetries(comeBack) : [];
  const failed = await ingest(
    messages.filter(({ receives }) => receives === 1),
    deadline,
  );
  return [...stay, ...failed];
}
