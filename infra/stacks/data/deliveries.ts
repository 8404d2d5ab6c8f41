import { Duration } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { StageSettings } from '../stages/stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';
import { keptQueue, workQueue } from './workQueue.ts';

/** An attempt may take 15 s. The rest is for the reads and writes around it. */
export const deliverTimeout = Duration.seconds(30);

/** A message of deferred changes takes some seconds. The rest is for conflicts, and for calls that hang. */
export const deferredTimeout = Duration.seconds(30);

/** Two hours, with one receive every three minutes, so that an outage of a table causes no dead letters. */
const deferredReceives = 40;

/** Long enough to examine a failure, and no longer, because the changes contain personal data. */
const failedChangesKept = Duration.days(30);

/** The queues of the pipelines of changes, their dead letters, and the bucket of failed changes. */
export class Deliveries extends Construct {
  /** For receivers that respond quickly. */
  readonly quick: Queue;
  /** For receivers that respond slowly, or whose speed is not known yet. */
  readonly slow: Queue;
  readonly deadLetters: Queue;
  /** Changes whose events or index items would have delayed other accounts. */
  readonly deferredFanOut: Queue;
  readonly deferredIndex: Queue;
  readonly deferredFanOutDeadLetters: Queue;
  readonly deferredIndexDeadLetters: Queue;
  /** Complete changes that failed for good while creating events or updating the index. */
  readonly failedChanges: Bucket;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    this.deadLetters = keptQueue(this, 'DeadLetters', settings);
    const queue = { settings, timeout: deliverTimeout, deadLetters: this.deadLetters };
    this.quick = workQueue(this, 'Quick', queue);
    this.slow = workQueue(this, 'Slow', queue);
    const deferred = { settings, timeout: deferredTimeout, receivesMax: deferredReceives };
    this.deferredFanOutDeadLetters = keptQueue(this, 'DeferredFanOutDeadLetters', settings);
    this.deferredIndexDeadLetters = keptQueue(this, 'DeferredIndexDeadLetters', settings);
    this.deferredFanOut = workQueue(this, 'DeferredFanOut', {
      ...deferred,
      deadLetters: this.deferredFanOutDeadLetters,
    });
    this.deferredIndex = workQueue(this, 'DeferredIndex', {
      ...deferred,
      deadLetters: this.deferredIndexDeadLetters,
    });
    this.failedChanges = new Bucket(this, 'FailedChanges', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      lifecycleRules: [{ expiration: failedChangesKept }],
      removalPolicy: removalPolicyOf(settings),
      // CloudFormation cannot delete a bucket that is not empty, or its stack.
      autoDeleteObjects: !settings.keepData,
    });
    acknowledgeFindings(this.failedChanges, {
      S1: 'Only Lambda writes here, after two functions have failed, and objects expire after thirty days',
    });
  }
}
