import type { EventLoopUtilization } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';

/** For how long a measurement counts. Over a shorter time, one long step of a function would look like constant work. */
const sampleMs = 20;

/**
 * How many threads need a CPU: each counts by the share of the time in which it did not wait. A thread that works counts whole, also while
 * others have the CPU; a thread that waits for an answer does not count.
 */
export class CpuDemand {
  private readonly before = new WeakMap<Worker, EventLoopUtilization>();
  private measuredAt = Number.NEGATIVE_INFINITY;
  private demand = 0;

  /** A thread gets work, which the next measurement finds. */
  begin(): void {
    this.demand += 1;
  }

  of(workers: Iterable<Worker>): number {
    const now = performance.now();
    if (now - this.measuredAt < sampleMs) return this.demand;
    this.measuredAt = now;
    this.demand = [...workers].reduce((sum, worker) => sum + this.shareOf(worker), 0);
    return this.demand;
  }

  private shareOf(worker: Worker): number {
    const total = worker.performance.eventLoopUtilization();
    const { utilization } = worker.performance.eventLoopUtilization(total, this.before.get(worker));
    this.before.set(worker, total);
    // It loads its code.
    return total.active === 0 ? 1 : utilization;
  }
}
