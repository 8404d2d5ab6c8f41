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
 * With two, a slow batch delays half of its shard. Only changes of one item stay in order, which is enough. With more than two,
 * batches with changes of one account would conflict at the same logs all the time: with ten, one subscription gets fewer events
 * a second than with one.
 */
const batchesPerShard = 2;

/** Messages of deferred changes at once. Those of one account conflict: five are slower for it than three. */
const deferredAtOnce = 3;

const sweepTimeout = Duration.seconds(60);

/** The messages of a batch are handled at the same time. */
const messagesAtOnce = 10;

/** Changes of records → events → deliveries → attempts, and the sweep for what is due. */
export class WebhookPipeline extends Construct {
  readonly lambdas: Record<'fanOut' | 'fanOutDeferred' | 'deliver' | 'sweep', ApiFunction['lambda']>;
  /** The mapping that hands changes of records to `fanOut`. */
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
   * Every account has a tenth of a second in a batch, and the rest goes to the queue of deferred changes. A batch takes longer only
   * if that queue is out of reach, too.
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
      // It sends to its own queues for the next attempt, and Lambda would stop such a chain at its sixteenth invocation. This one
      // ends: a delivery has thirteen attempts.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    deliver.takeFrom(quick, slow);
    const deliverFrom = (name: string, queue: Queue) =>
      new EventSourceMapping(this, name, {
        target: deliver.lambda,
        eventSourceArn: queue.queueArn,
        batchSize: messagesAtOnce,
        // For each queue: slow receivers must not occupy the functions that quick ones need.
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
