import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Latencies by kind of request, in a memory that does not grow with them. */
export class Latencies {
  private readonly histograms = new Map<string, RecordableHistogram>();

  record(kind: string, ms: number): void {
    const histogram = this.histograms.get(kind) ?? createHistogram();
    this.histograms.set(kind, histogram);
    histogram.record(Math.max(1, Math.round(1000 * ms)));
  }

  /** `get 4/31`: the median and the 99th percentile in milliseconds. */
  inWords(): string {
    return [...this.histograms]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([kind, histogram]) => `${kind} ${msOf(histogram, 50)}/${msOf(histogram, 99)}`)
      .join(', ');
  }
}

const msOf = (histogram: RecordableHistogram, percentile: number): number =>
  Math.round(histogram.percentile(percentile) / 1000);
