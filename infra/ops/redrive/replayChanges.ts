import type { DynamoDBRecord } from 'aws-lambda';
import { failuresIn } from '../../local/queue/batchFailures.ts';
import type { Consumer, FailedWork } from './failedWork.ts';

interface Batch {
  /** The event as JSON. */
  payload: string;
  /** The sequence numbers of its changes. */
  ids: string[];
}

/**
 * Passes changes that one function did not process to all functions that process changes, oldest first. A document is removed once all
 * functions have succeeded with all its changes. A change that was already fanned out or indexed has no second effect, and no effect on a
 * function that does not read its table.
 */
export async function replayChanges({
  changes,
  consumers,
}: Pick<FailedWork, 'changes' | 'consumers'>): Promise<{ again: number; stays: number }> {
  const tally = { again: 0, stays: 0 };
  for (const name of await changes.names()) {
    const problem = await whyNot(readBatch(await changes.read(name)), consumers);
    if (problem === undefined) {
      await changes.remove(name);
      tally.again += 1;
    } else {
      console.error(`${name} stays: ${problem}`);
      tally.stays += 1;
    }
  }
  return tally;
}

/**
 * Reads the document that Lambda writes for a batch that failed for good. Only a bucket receives the whole event.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
function readBatch(text: string): Batch | undefined {
  try {
    const { payload: kept } = JSON.parse(text);
    // AWS does not document whether the payload is a JSON text, as in the documents of other sources, or an object.
    const payload = typeof kept === 'string' ? kept : JSON.stringify(kept);
    const { Records } = JSON.parse(payload) as { Records: DynamoDBRecord[] };
    return { payload, ids: Records.map(({ dynamodb }) => dynamodb?.SequenceNumber as string) };
  } catch {
    return undefined;
  }
}

/** Returns why changes of a batch failed again; undefined if all succeeded. */
async function whyNot(
  batch: Batch | undefined,
  consumers: FailedWork['consumers'],
): Promise<string | undefined> {
  if (!batch) return 'it is no batch of changes that Lambda has kept';
  const problems: string[] = [];
  // Calls all functions even if the first fails, because one function's failure must not stop the others.
  for (const [name, consumer] of Object.entries(consumers)) {
    const problem = await problemOf(consumer, batch);
    if (problem !== undefined) problems.push(`${name} failed again${problem}`);
  }
  return problems.length > 0 ? problems.join('; ') : undefined;
}

async function problemOf(consumer: Consumer, { payload, ids }: Batch): Promise<string | undefined> {
  try {
    const failed = failuresIn(await consumer(payload), ids);
    if (failed?.size === 0) return undefined;
    return ` with ${failed?.size ?? 'some'} of its ${ids.length} changes, for now`;
  } catch (error) {
    return `: ${(error as Error).message}`;
  }
}
