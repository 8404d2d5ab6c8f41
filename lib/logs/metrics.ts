import { env, optional, required } from '../env.ts';
import type { LogFields } from './log.ts';

// The fields of log lines from which CloudWatch makes metrics. They need no call and no extra line. Every combination of
// dimensions costs money each month: so all dimensions are defined here, and each has only a few values.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html

type Unit = 'Count' | 'Milliseconds' | 'Seconds';

let conflicts = 0;

/** Counts a conflict: another write was faster at the same items, and this one is tried again. The next line with metrics has the count. */
export function noteConflict(): void {
  conflicts += 1;
}

type Counted =
  | 'keys_refused'
  | 'keys_not_checked'
  | 'links_refused'
  | 'attempts_succeeded'
  | 'attempts_failed'
  | 'subscriptions_suspended'
  | 'subscriptions_resumed'
  | 'deliveries_released'
  | 'deliveries_expired'
  | 'first_records'
  | 'refusals'
  /** Entries of the index that a comparison with the records has found wrong. */
  | 'index_differences'
  /** Lines in a batch of the access log that do not have the format that this API writes. */
  | 'unreadable_lines';

type Late = 'overdue_seconds' | 'index_lag_seconds' | 'usage_late_seconds';

/**
 * How an operation ended, and how long it took. Only failures of ours are a metric, by operation and version, because a release is
 * judged by the failures of its own code; the metrics of Lambda have the rest.
 * @param outcome one of a few words
 * @param counted what is counted besides
 */
export function timed(outcome: string, ms: number, counted?: Counted): LogFields {
  const version = outcome === failure ? optional(env.functionVersion) : undefined;
  const directives = [
    ...(version ? [directive('duration_ms', 'Milliseconds', [['operation', 'outcome', 'version']])] : []),
    ...(counted ? [directive(counted, 'Count')] : []),
  ];
  return {
    outcome,
    duration_ms: Math.round(ms),
    ...(version ? { version } : {}),
    ...(counted ? { [counted]: 1 } : {}),
    ...(directives.length > 0 ? metrics(directives) : conflictMetrics()),
  };
}

/** The outcome of a request that failed by our fault. */
const failure = '5xx';

/**
 * How late something is, in whole seconds: the oldest overdue work, the oldest change of a batch when all its changes are in the index, or
 * the oldest day whose requests are not summed up.
 */
export const lateness = (name: Late, ms: number): LogFields => ({
  [name]: Math.floor(ms / 1000),
  ...metrics([directive(name, 'Seconds')]),
});

/** Counts something in a line without other metrics. */
export const counts = (name: Counted, count = 1): LogFields => ({
  [name]: count,
  ...metrics([directive(name, 'Count')]),
});

/** A probe that failed, and how long deliveries have waited for its receiver, in whole seconds. */
export const probeFailed = (waitedMs: number): LogFields => ({
  probes_failed: 1,
  waiting_seconds: Math.floor(waitedMs / 1000),
  ...metrics([directive('probes_failed', 'Count'), directive('waiting_seconds', 'Seconds')]),
});

/** The edits by clients that statements of the product contradict: those that stay, which is normal, and those that are overwritten. */
export const editsMet = ({ kept, overwritten }: { kept: number; overwritten: number }): LogFields =>
  kept + overwritten === 0
    ? {}
    : {
        edits_kept: kept,
        edits_overwritten: overwritten,
        ...metrics([directive('edits_overwritten', 'Count')]),
      };

export const conflictMetrics = (): LogFields => (conflicts > 0 ? metrics([]) : {});

/** The fields that make metrics of others in the same line. */
function metrics(directives: object[]): LogFields {
  const noted = conflicts;
  conflicts = 0;
  return {
    ...(noted > 0 ? { conflicts: noted } : {}),
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: noted > 0 ? [...directives, directive('conflicts', 'Count')] : directives,
    },
  };
}

/** @param Dimensions sets of names of text fields: each set is a metric */
const directive = (Name: string, Unit: Unit, Dimensions: string[][] = [[]]): object => ({
  Namespace: required(env.metricsNamespace),
  Dimensions,
  Metrics: [{ Name, Unit }],
});
