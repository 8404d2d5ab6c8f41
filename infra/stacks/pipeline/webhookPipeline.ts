import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { deliverTimeout } from '../data/deliveries.ts';
import { deferredChanges } from './deferredChanges.ts';
import { ofRecords } from './recordChanges.ts';
import { runEvery } from './schedule.ts';
import { changesTimeout, TableChanges } from './tableChanges.ts';

/**
 * With two batches, a slow batch delays half of its shard. Only changes of one item stay in order, which is enough. With more, batches with
 * changes of one account would constantly conflict at the same logs: with ten, one subscription gets fewer events a second than with one.
 */
const batchesPerShard = 2;

/** How many messages of deferred changes are processed at once. Messages of one account conflict, and five are slower for it than three. */
const deferredAtOnce = 3;

const sweepTimeout = Duration.seconds(60);

/** The messages of a batch are processed at the same time. */
const messagesAtOnce = 10;

/** Turns changes of records into events, deliveries and attempts, and sweeps for due deliveries. */
export class WebhookPipeline extends Construct {
  readonly lambdas: Record<'fanOut' | 'fanOutDeferred' | 'deliver' | 'sweep', ApiFunction['lambda']>;
  /** The mapping that delivers changes of records to `fanOut`. */
  readonly changes: TableChanges;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { fanOut, changes } = this.fanOut(props);
    this.changes = changes;
    this.lambdas = {
      fanOut,
      fanOutDeferred: deferredChanges(this, 'fanOutDeferredChanges', {
        ...props,
        queue: props.deliveries.deferredFanOut,
        maxConcurrency: deferredAtOnce,
      }),
      deliver: this.deliver(props),
      sweep: this.sweep(props),
    };
  }

  /**
   * Gives every account a tenth of a second in a batch, and sends the rest to the queue of deferred changes. A batch takes longer only if that
   * queue is unreachable as well.
   */
  private fanOut(props: FunctionProps) {
    const { tables, deliveries } = props;
    const consumer = new ApiFunction(this, 'fanOutChanges', { ...props, timeout: changesTimeout });
    const reading = { ...ofRecords(tables), deliveries, consumer, batchesPerShard };
    return { fanOut: consumer.lambda, changes: new TableChanges(this, 'Changes', reading) };
  }

  private deliver(props: FunctionProps): ApiFunction['lambda'] {
    const { quick, slow } = props.deliveries;
    const { deliveries: maxConcurrency } = props.settings.concurrency;
    const deliver = new ApiFunction(this, 'deliverWebhook', {
      ...props,
      timeout: deliverTimeout,
      // The function sends to its own queues for the next attempt, and Lambda would stop such a chain at its sixteenth invocation. This chain
      // ends, because a delivery has thirteen attempts.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    deliver.takeFrom(quick, slow);
    const deliverFrom = (name: string, queue: Queue) =>
      new EventSourceMapping(this, name, {
        target: deliver.lambda,
        eventSourceArn: queue.queueArn,
        batchSize: messagesAtOnce,
        // For each queue, because slow receivers must not occupy the functions that quick ones need.
        maxConcurrency,
        reportBatchItemFailures: true,
      });
    deliverFrom('QuickDeliveries', quick);
    deliverFrom('SlowDeliveries', slow);
    return deliver.lambda;
  }

  private sweep(props: FunctionProps): ApiFunction['lambda'] {
    const { lambda } = new ApiFunction(this, 'sweepDeliveries', { ...props, timeout: sweepTimeout });
    runEvery(this, 'EveryMinute', Duration.minutes(1), lambda);
    return lambda;
  }
}
