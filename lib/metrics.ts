import { env, optional, required } from './env.ts';
import type { Fields } from './log.ts';

// What CloudWatch makes metrics of, in the lines of the log that are written anyway: no call, and no line more. Every
// combination of dimensions costs money each month, so all dimensions are here, and of each there are only a few values.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html

type Unit = 'Count' | 'Milliseconds' | 'Seconds';

let conflicts = 0;

/** Notes that somebody else was faster at the same items, and that all is tried again. The next line with metrics says how often. */
export function noteConflict(): void {
  conflicts += 1;
}

/**
 * How long something took, by the `operation` of the log's context and by how it ended. How often it ended so is the count
 * of these times.
 * @param outcome one of a few words
 */
export function timed(outcome: string, ms: number): Fields {
  // By version as well when we failed: a release is judged by what its own code does, and versions never end.
  const version = outcome === failure ? optional(env.functionVersion) : undefined;
  const dimensions = [['operation', 'outcome'], ...(version ? [['operation', 'outcome', 'version']] : [])];
  return {
    outcome,
    duration_ms: Math.round(ms),
    ...(version ? { version } : {}),
    ...metrics([directive('duration_ms', 'Milliseconds', dimensions)]),
  };
}

/** The outcome of a request that failed by a fault of ours. */
const failure = '5xx';

/** How late the latest of what is due is, in whole seconds. */
export const overdue = (ms: number): Fields => ({
  overdue_seconds: Math.floor(ms / 1000),
  ...metrics([directive('overdue_seconds', 'Seconds')]),
});

/** For a line with nothing to measure but conflicts. */
export const onlyConflicts = (): Fields => (conflicts > 0 ? metrics([]) : {});

/** The fields that make metrics of others in the same line. */
function metrics(directives: object[]): Fields {
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

/** @param Dimensions for each set of them a metric: the names of fields with text */
const directive = (Name: string, Unit: Unit, Dimensions: string[][] = [[]]): object => ({
  Namespace: required(env.metricsNamespace),
  Dimensions,
  Metrics: [{ Name, Unit }],
});
