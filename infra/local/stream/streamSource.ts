import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EventSourceContext, Poll } from '../lambda/eventSource.ts';
import type { Lambda } from '../lambda/lambda.ts';
import { StartError } from '../process/startError.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import { awsEnvironment, idInArn, isBucketArn, type Resource } from '../template/template.ts';
import { type EventFilter, eventFilter } from './eventFilter.ts';
import { keepFailed } from './failedChanges.ts';
import { type DiscardReason, processBatch } from './streamBatch.ts';
import { type Change, StreamReader, type StreamRef, streamOf } from './streamClient.ts';

const errorPauseMs = 1000;

/** How long to pause after a read that reached the end. Lambda reads a shard every 250 ms; here, people wait for webhooks less long. */
const pauseMs = 50;

/**
 * Reads the stream of a table for a function, one batch at a time, whatever ParallelizationFactor says.
 * @throws StartError if the mapping has a property or a value that the local stack does not know, or if the table has no stream
 */
export async function streamSource(resource: Resource, context: EventSourceContext): Promise<Poll> {
  const mapping = readStreamMapping(resource);
  const stream = await streamOf(context.databaseEndpoint, mapping.table);
  if (!stream)
    throw new StartError(
      `The table ${mapping.table} has no stream, and ${mapping.id} reads one. Start with --fresh, which makes the tables again.`,
    );
  context.checkpoints.begin(mapping.id, mapping.table, stream.arn);
  return (signal) => poll({ mapping, context, stream }, signal);
}

interface Source {
  mapping: StreamMapping;
  context: EventSourceContext;
  stream: StreamRef;
}

async function poll(source: Source, signal: AbortSignal): Promise<void> {
  let lastError = '';
  while (!signal.aborted) {
    try {
      // Changes that were read but not handled are read again, from the last checkpoint.
      const reader = new StreamReader(source.context.databaseEndpoint, source.stream);
      while (!signal.aborted) {
        const { changes, isFull } = await gather(source, reader, signal);
        lastError = '';
        await handle(source, changes, signal);
        if (!isFull) await sleep(pauseMs, undefined, { signal });
      }
    } catch (error) {
      if (signal.aborted) return;
      const { message } = error as Error;
      if (message !== lastError) console.error(`${source.mapping.id} cannot read its stream: ${message}`);
      lastError = message;
      await sleep(errorPauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** Reads once. If there are changes for the function, it continues until the batch is full or its window is over. */
async function gather({ mapping, context }: Source, reader: StreamReader, signal: AbortSignal) {
  const { id, batchSize, windowMs, passes } = mapping;
  const read = await reader.read(context.checkpoints.position(id));
  const wanted = () => read.changes.filter(passes).length;
  const end = Date.now() + windowMs;
  while (wanted() > 0 && wanted() < batchSize && Date.now() < end) {
    await sleep(Math.min(pauseMs, windowMs), undefined, { signal });
    const more = await reader.read(undefined);
    read.changes.push(...more.changes);
    read.isFull = more.isFull;
  }
  return read;
}

/** Passes the filtered changes to the function, and records how far it got. */
async function handle(source: Source, changes: readonly Change[], signal: AbortSignal): Promise<void> {
  const { mapping, context, stream } = source;
  const { id, functionName, batchSize } = mapping;
  const delivery = {
    ...mapping,
    lambda: context.lambdas.get(functionName) as Lambda,
    reached: ({ dynamodb }: Change) => context.checkpoints.reach(id, dynamodb.SequenceNumber),
    discard: (some: Change[], reason: DiscardReason) => {
      const batch = { functionName, streamArn: stream.arn, shardId: stream.shardId, changes: some, reason };
      const file = keepFailed(context.folder, batch);
      console.error(`${id}: ${functionName} failed with ${some.length} changes; they are kept in ${file}`);
    },
  };
  const wanted = changes.map((change) => toLambdaRecord(source, change)).filter(mapping.passes);
  for (let at = 0; at < wanted.length; at += batchSize)
    if (!(await processBatch(delivery, wanted.slice(at, at + batchSize), signal))) return;
  const last = changes.at(-1);
  if (last) delivery.reached(last);
}

/** Corrects the region in `awsRegion` and in the ARN, which the embedded database sets to another one. */
function toLambdaRecord({ mapping, stream }: Source, change: Change): Change {
  const { region, account, partition } = awsEnvironment;
  return {
    ...change,
    awsRegion: region,
    eventSourceARN: `arn:${partition}:dynamodb:${region}:${account}:table/${mapping.table}/stream/${stream.label}`,
  };
}

interface StreamMapping {
  id: string;
  table: string;
  functionName: string;
  batchSize: number;
  windowMs: number;
  /** Infinity for no limit. */
  retriesMax: number;
  /** Infinity for no limit. */
  ageMaxMs: number;
  passes: EventFilter;
}

/** MetricsConfig, ParallelizationFactor and Tags have no effect on one machine. */
const known = [
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'Enabled',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'MetricsConfig',
  'ParallelizationFactor',
  'StartingPosition',
  'Tags',
];

/** The properties that every mapping of a stream must have. */
const fixed = {
  StartingPosition: 'TRIM_HORIZON',
  BisectBatchOnFunctionError: true,
  FunctionResponseTypes: ['ReportBatchItemFailures'],
};

/** @throws StartError if the mapping has a property or a value that the local stack does not know */
function readStreamMapping({ id, properties }: Resource): StreamMapping {
  assertKnownProperties(id, properties, known);
  for (const [name, value] of Object.entries(fixed))
    if (!isDeepStrictEqual(properties[name], value))
      throw new StartError(
        `${id} needs ${name} ${JSON.stringify(value)}: the local stack supports nothing else.`,
      );
  assertBucket(id, properties);
  const { BatchSize = 100, MaximumBatchingWindowInSeconds = 0 } = properties;
  const { FilterCriteria } = properties as { FilterCriteria?: { Filters?: { Pattern: string }[] } };
  return {
    id,
    table: idInArn(properties.EventSourceArn as string),
    functionName: properties.FunctionName as string,
    batchSize: Number(BatchSize),
    windowMs: Number(MaximumBatchingWindowInSeconds) * 1000,
    retriesMax: limitOf(properties.MaximumRetryAttempts),
    ageMaxMs: limitOf(properties.MaximumRecordAgeInSeconds) * 1000,
    passes: eventFilter(
      id,
      (FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern),
    ),
  };
}

/** On AWS, both -1 and a missing value mean no limit. */
const limitOf = (value: unknown): number =>
  value === undefined || Number(value) === -1 ? Number.POSITIVE_INFINITY : Number(value);

function assertBucket(id: string, { DestinationConfig }: JsonObject): void {
  const { OnFailure } = (DestinationConfig ?? {}) as { OnFailure?: { Destination: string } };
  if (!OnFailure || !isBucketArn(OnFailure.Destination))
    throw new StartError(
      `${id} does not send failed batches to a bucket: the local stack supports nothing else.`,
    );
}
