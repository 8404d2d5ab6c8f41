import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { handler as fanOutChanges } from '../../../functions/pipeline/fanOutChanges.ts';
import { handler as indexChanges } from '../../../functions/pipeline/indexChanges.ts';
import { handler as indexDeliveries } from '../../../functions/pipeline/indexDeliveries.ts';
import { processBatch } from '../../../infra/local/stream/streamBatch.ts';
import { type Change, ShardReader, StreamClient } from '../../../infra/local/stream/streamClient.ts';
import { afterDeadlineMs } from '../../../lib/webhooks/events/fanOut.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import type { OwnStack } from './ownStack.ts';

const fanOutHandler = asFunction('fanOutChanges', fanOutChanges);
const indexHandler = asFunction('indexChanges', indexChanges);
const indexLogsHandler = asFunction('indexDeliveries', indexDeliveries);

/** How long an invocation with a fault goes on during conflicts, or while the database is out of reach. Others have all the time they need. */
export const shortMs = 1000;
const limitMs = 60_000;

const eventOf = (changes: readonly Change[]) => ({ Records: [...changes] }) satisfies DynamoDBStreamEvent;

const failedIn = ({ batchItemFailures }: DynamoDBBatchResponse): string[] =>
  batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** One invocation of fanOutChanges. @returns the sequence numbers of the changes that must be retried */
export const fanOut = async (changes: readonly Change[], ms = limitMs): Promise<string[]> =>
  failedIn(await fanOutHandler(eventOf(changes), lambdaContext(afterDeadlineMs + ms)));

/** One invocation of indexChanges. @returns the sequence numbers of the changes that must be retried */
export const index = async (changes: readonly Change[], ms = limitMs): Promise<string[]> =>
  failedIn(await indexHandler(eventOf(changes), lambdaContext(ms)));

/** One invocation of indexDeliveries. @returns the sequence numbers of the changes that must be retried */
export const indexLogs = async (changes: readonly Change[], ms = limitMs): Promise<string[]> =>
  failedIn(await indexLogsHandler(eventOf(changes), lambdaContext(ms)));

/**
 * Hands over a batch with the retries and halvings of the platform, by the settings of the template.
 * @param invocation one invocation of the function that gets the changes
 * @returns the changes that were given up
 */
export async function handOver(
  changes: readonly Change[],
  invocation: (changes: readonly Change[]) => Promise<string[]> = fanOut,
): Promise<Change[]> {
  const givenUp: Change[] = [];
  const invoke = async ({ Records }: { Records: Change[] }) =>
    JSON.stringify({
      batchItemFailures: (await invocation(Records)).map((itemIdentifier) => ({ itemIdentifier })),
    });
  const delivery = {
    lambda: { invoke: invoke as (event: object) => Promise<string> },
    reportsFailures: true,
    bisects: true,
    retriesMax: 1,
    ageMaxMs: Number.POSITIVE_INFINITY,
    reached: () => {},
    discard: (some: Change[]) => givenUp.push(...some),
  };
  await processBatch(delivery, [...changes], new AbortController().signal);
  return givenUp;
}

/** The filter of the template: of all items, only records have a version. */
const isRecord = ({ dynamodb }: Change): boolean => dynamodb.NewImage?.version?.N !== undefined;

export const accountOf = ({ dynamodb }: Change): string => String(dynamodb.Keys?.pk?.S).split('#')[0] ?? '';

/** Reads the stream of a table, by default of the Records table. */
export class Stream {
  private readonly client: StreamClient;
  private readonly table: string;
  private readonly readers = new Map<string, ShardReader>();

  constructor(
    { databaseEndpoint, recordsTable }: Pick<OwnStack, 'databaseEndpoint' | 'recordsTable'>,
    table = recordsTable,
  ) {
    this.client = new StreamClient(databaseEndpoint);
    this.table = table;
  }

  /** The changes of records since the last call. */
  async changes(): Promise<Change[]> {
    return (await this.all()).filter(isRecord);
  }

  /** The changes of items of any kind since the last call. */
  async all(): Promise<Change[]> {
    const { arn } = (await this.client.streamOf(this.table)) as { arn: string };
    const all: Change[] = [];
    for (const { ShardId } of await this.client.shardsOf(arn)) {
      const reader = this.readers.get(ShardId) ?? new ShardReader(this.client, arn, ShardId);
      this.readers.set(ShardId, reader);
      for (let more = true; more; ) {
        const { changes, last } = await reader.read(undefined);
        all.push(...changes);
        more = changes.length > 0 && !last;
      }
    }
    return all;
  }
}
