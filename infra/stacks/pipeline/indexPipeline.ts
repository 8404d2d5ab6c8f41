import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { deferredChanges } from './deferredChanges.ts';
import { ofDeliveries } from './deliveryChanges.ts';
import { ofRecords } from './recordChanges.ts';
import { runEvery } from './schedule.ts';
import { changesTimeout, TableChanges } from './tableChanges.ts';

/**
 * The same as for fan-out, so that a slow batch delays half of its shard. More batches would write the same chunks at the same time: with four
 * at once, each is refused and retried two to five times.
 */
const batchesPerShard = 2;

/** The fewest that SQS allows. Each writes at a limited rate, so together they leave most of the table to others. */
const deferredAtOnce = 2;

/** The longest that Lambda allows. */
const verifyTimeout = Duration.minutes(15);

/**
 * Updates the index of filters and the feed after changes of records, and the index of filters after changes of deliveries. Work over the
 * budget of an account comes later. A daily comparison checks the index against the records.
 */
export class IndexPipeline extends Construct {
  readonly lambdas: Record<'index' | 'indexDeferred' | 'indexLogs' | 'verify', ApiFunction['lambda']>;
  /** The mappings that deliver changes of records to `indexChanges`, and changes of deliveries to `indexDeliveries`. */
  readonly changes: readonly TableChanges[];

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { tables, deliveries } = props;
    const index = new ApiFunction(this, 'indexChanges', { ...props, timeout: changesTimeout });
    const logs = new ApiFunction(this, 'indexDeliveries', { ...props, timeout: changesTimeout });
    this.changes = [
      new TableChanges(this, 'Changes', {
        ...ofRecords(tables),
        deliveries,
        consumer: index,
        batchesPerShard,
      }),
      new TableChanges(this, 'Deliveries', { ...ofDeliveries(tables), deliveries, consumer: logs }),
    ];
    this.lambdas = {
      index: index.lambda,
      indexDeferred: deferredChanges(this, 'indexDeferredChanges', {
        ...props,
        queue: deliveries.deferredIndex,
        maxConcurrency: deferredAtOnce,
      }),
      indexLogs: logs.lambda,
      verify: this.verify(props),
    };
  }

  private verify(props: FunctionProps): ApiFunction['lambda'] {
    const { lambda } = new ApiFunction(this, 'verifyIndex', { ...props, timeout: verifyTimeout });
    // A run compares some hundred thousand records, and the next one continues. A run without work reads one item.
    runEvery(this, 'EveryHour', Duration.hours(1), lambda);
    return lambda;
  }
}
