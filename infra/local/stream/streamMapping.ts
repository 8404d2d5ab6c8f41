import { StartError } from '../process/startError.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { idInArn, isBucketArn, type Resource } from '../template/template.ts';
import { type EventFilter, eventFilter } from './eventFilter.ts';

/** What an event source mapping says of a stream. */
export interface StreamMapping {
  id: string;
  table: string;
  functionName: string;
  batchSize: number;
  windowMs: number;
  /** Of each shard. */
  batchesAtOnce: number;
  bisects: boolean;
  /** Infinity for as often as it takes. */
  retriesMax: number;
  /** Infinity for as long as it takes. */
  ageMaxMs: number;
  reportsFailures: boolean;
  keepsFailed: boolean;
  passes: EventFilter;
}

/** Those under which nothing is done differently on one machine are MetricsConfig and Tags. */
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

/** @throws StartError when it says what the local stack does not know */
export function readStreamMapping({ id, properties }: Resource): StreamMapping {
  assertKnownProperties(id, properties, known);
  if (properties.StartingPosition !== 'TRIM_HORIZON')
    throw new StartError(
      `${id} starts at ${properties.StartingPosition}: the local stack knows TRIM_HORIZON.`,
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

/** On AWS, -1 stands for no limit, as does nothing. */
const limitOf = (value: unknown): number =>
  value === undefined || Number(value) === -1 ? Number.POSITIVE_INFINITY : Number(value);

function hasBucket(id: string, { DestinationConfig }: JsonObject): boolean {
  const { OnFailure } = (DestinationConfig ?? {}) as { OnFailure?: { Destination: string } };
  if (OnFailure && !isBucketArn(OnFailure.Destination))
    throw new StartError(
      `${id} sends what fails to ${OnFailure.Destination}: the local stack knows buckets only.`,
    );
  return OnFailure !== undefined;
}
