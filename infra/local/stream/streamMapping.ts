import { StartError } from '../process/startError.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { idInArn, isBucketArn, type Resource } from '../template/template.ts';
import { type EventFilter, eventFilter } from './eventFilter.ts';

/** An event source mapping of a stream. */
export interface StreamMapping {
  id: string;
  table: string;
  functionName: string;
  batchSize: number;
  windowMs: number;
  /** For each shard. */
  batchesAtOnce: number;
  bisects: boolean;
  /** Infinity for no limit. */
  retriesMax: number;
  /** Infinity for no limit. */
  ageMaxMs: number;
  reportsFailures: boolean;
  keepsFailed: boolean;
  passes: EventFilter;
}

/** MetricsConfig and Tags have no effect on one machine. */
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

/** @throws StartError when the mapping has a property or a value that the local stack does not know */
export function readStreamMapping({ id, properties }: Resource): StreamMapping {
  assertKnownProperties(id, properties, known);
  if (properties.StartingPosition !== 'TRIM_HORIZON')
    throw new StartError(
      `${id} starts at ${properties.StartingPosition}: the local stack supports only TRIM_HORIZON.`,
    );
  const { BatchSize = 100, MaximumBatchingWindowInSeconds = 0 } = properties;
  const { FunctionResponseTypes = [], FilterCriteria } = properties as {
    FunctionResponseTypes?: string[];
    FilterCriteria?: { Filters?: { Pattern: string }[] };
  };
  return {
    id,
    table: idInArn(properties.EventSourceArn as string),
    functionName: properties.FunctionName as string,
    batchSize: Number(BatchSize),
    windowMs: Number(MaximumBatchingWindowInSeconds) * 1000,
    batchesAtOnce: streamBatchesAtOnce(properties),
    bisects: properties.BisectBatchOnFunctionError === true,
    retriesMax: limitOf(properties.MaximumRetryAttempts),
    ageMaxMs: limitOf(properties.MaximumRecordAgeInSeconds) * 1000,
    reportsFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
    keepsFailed: hasBucket(id, properties),
    passes: eventFilter(
      id,
      (FilterCriteria?.Filters ?? []).map(({ Pattern }) => Pattern),
    ),
  };
}

export const streamBatchesAtOnce = ({ ParallelizationFactor = 1 }: JsonObject): number =>
  Number(ParallelizationFactor);

/** On AWS, -1 means no limit, and so does a missing value. */
const limitOf = (value: unknown): number =>
  value === undefined || Number(value) === -1 ? Number.POSITIVE_INFINITY : Number(value);

function hasBucket(id: string, { DestinationConfig }: JsonObject): boolean {
  const { OnFailure } = (DestinationConfig ?? {}) as { OnFailure?: { Destination: string } };
  if (OnFailure && !isBucketArn(OnFailure.Destination))
    throw new StartError(
      `${id} sends failed batches to ${OnFailure.Destination}: the local stack supports only buckets.`,
    );
  return OnFailure !== undefined;
}
