import type { CfnTemplate } from './templates.ts';

/** What a stage takes of what its account may run at once. */
export interface Concurrency {
  /** Of the pipeline: batches of its queues, of its streams for one shard, and runs of its schedules, at most. */
  batches: number;
  /** Kept for single functions. An account has to keep 100 beside it that are kept for none. */
  reserved: number;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html */
export function concurrencyOf({ Resources }: CfnTemplate): Concurrency {
  const sum: Concurrency = { batches: 0, reserved: 0 };
  for (const { Type, Properties = {} } of Object.values(Resources)) {
    if (Type === 'AWS::Events::Rule') sum.batches += 1;
    if (Type === 'AWS::Lambda::Function')
      sum.reserved += Number(Properties.ReservedConcurrentExecutions ?? 0);
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    const { ScalingConfig, ParallelizationFactor } = Properties as {
      ScalingConfig?: { MaximumConcurrency: number };
      ParallelizationFactor?: number;
    };
    sum.batches += ScalingConfig?.MaximumConcurrency ?? ParallelizationFactor ?? 1;
  }
  return sum;
}
