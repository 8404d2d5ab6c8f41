import { env, optional, required } from '../env.ts';
import type { LogFields } from './log.ts';

// Creates the log fields that CloudWatch turns into metrics, which needs no call and no extra line. Every combination of
// dimensions costs money each month, so all dimensions are defined here, and each has only a few values.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html

type Unit = 'Count' | 'Milliseconds' | 'Seconds';

let conflicts = 0;

/** Counts a conflict: another write to the same items was faster, and this one is retried. The next line with metrics contains the count. */
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
  /** Wrong index entries that a comparison with the records has found. */
  | 'index_differences'
  /** Lines of the access log that are not in the format that this API writes. */
  | 'unreadable_lines';

type Late = 'overdue_seconds' | 'index_lag_seconds' | 'usage_late_seconds';

/**
 * Returns how an operation ended and how long it took. Only our own failures become a metric, by operation and version, because a release is
 * judged by the failures of its own code. Lambda's metrics cover the rest.
 * @param outcome one of a few words
 * @param counted another metric to count
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

/** The outcome of a request that failed because of an internal error. */
const failure = '5xx';

/**
 * Returns how late something is, in whole seconds: the oldest overdue work, the oldest change of a batch when the index contains all its
 * changes, or the oldest day without totals.
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

/** Returns the fields for a failed probe, and how long deliveries have waited for its receiver, in whole seconds. */
export const probeFailed = (waitedMs: number): LogFields => ({
  probes_failed: 1,
  waiting_seconds: Math.floor(waitedMs / 1000),
  ...metrics([directive('probes_failed', 'Count'), directive('waiting_seconds', 'Seconds')]),
});

/** Counts client edits that record messages contradict: `kept` edits stay, which is normal, and `overwritten` edits are replaced. */
export const editsMet = ({ kept, overwritten }: { kept: number; overwritten: number }): LogFields =>
  kept + overwritten === 0
    ? {}
    : {
        edits_kept: kept,
        edits_overwritten: overwritten,
        ...metrics([directive('edits_overwritten', 'Count')]),
      };

export const conflictMetrics = (): LogFields => (conflicts > 0 ? metrics([]) : {});

/** Returns the fields that turn other fields of the same line into metrics. */
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

/** @param Dimensions sets of names of text fields; each set creates a metric */
const directive = (Name: string, Unit: Unit, Dimensions: string[][] = [[]]): object => ({
  Namespace: required(env.metricsNamespace),
  Dimensions,
  Metrics: [{ Name, Unit }],
});
