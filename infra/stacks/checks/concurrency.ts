import type { CfnTemplate } from './templates.ts';

/** The share of the account's concurrent executions that a stage uses. */
export interface Concurrency {
  /** The most concurrent batches of queues, batches of one shard of each stream, and runs of schedules. */
  batches: number;
  /** The reserved concurrency of single functions. AWS requires that 100 of the account stay unreserved. */
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
