import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { handler as fanOutChanges } from '../../../functions/pipeline/fanOutChanges.ts';
import { handler as indexChanges } from '../../../functions/pipeline/indexChanges.ts';
import { handler as indexDeliveries } from '../../../functions/pipeline/indexDeliveries.ts';
import { processBatch } from '../../../infra/local/stream/streamBatch.ts';
import {
  type Change,
  StreamReader,
  type StreamRef,
  streamOf,
} from '../../../infra/local/stream/streamClient.ts';
import { fanOutAfterDeadlineMs } from '../../../lib/webhooks/events/fanOut.ts';
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
  failedIn(await fanOutHandler(eventOf(changes), lambdaContext(fanOutAfterDeadlineMs + ms)));

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
  private readonly endpoint: string;
  private readonly table: string;
  private reader: StreamReader | undefined;

  constructor(
    { databaseEndpoint, recordsTable }: Pick<OwnStack, 'databaseEndpoint' | 'recordsTable'>,
    table = recordsTable,
  ) {
    this.endpoint = databaseEndpoint;
    this.table = table;
  }

  /** The changes of records since the last call. */
  async changes(): Promise<Change[]> {
    return (await this.all()).filter(isRecord);
  }

  /** The changes of items of any kind since the last call. */
  async all(): Promise<Change[]> {
    const { endpoint, table } = this;
    this.reader ??= new StreamReader(endpoint, (await streamOf(endpoint, table)) as StreamRef);
    const all: Change[] = [];
    for (let more = true; more; ) {
      const { changes } = await this.reader.read(undefined);
      all.push(...changes);
      more = changes.length > 0;
    }
    return all;
  }
}
