import type { CfnTemplate } from './templates.ts';

/**
 * How many batches the pipeline of a stack may work on at once: those of its queues, of its streams for each of their shards,
 * and runs of its schedules.
 */
export const pipelineConcurrency = ({ Resources }: CfnTemplate): number =>
  Object.values(Resources).reduce((sum, { Type, Properties = {} }) => {
    if (Type === 'AWS::Events::Rule') return sum + 1;
    if (Type !== 'AWS::Lambda::EventSourceMapping') return sum;
    const { ScalingConfig, ParallelizationFactor } = Properties as {
      ScalingConfig?: { MaximumConcurrency: number };
      ParallelizationFactor?: number;
    };
    return sum + (ScalingConfig?.MaximumConcurrency ?? ParallelizationFactor ?? 1);
  }, 0);
