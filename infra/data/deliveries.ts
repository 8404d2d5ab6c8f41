import { Duration } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeFindings } from '../api/acknowledgeFindings.ts';
import type { StageSettings } from '../stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';
import { deadLetterQueue, workQueue } from './workQueue.ts';

/** An attempt may take 15 s, and there is work before and after it. */
export const deliverTimeout = Duration.seconds(30);

/** A message of deferred changes has its turn of a second, and there are calls that hang. */
export const deferredTimeout = Duration.seconds(30);

/** Two hours, three minutes each: while the Webhooks table is out of reach, no change should become a dead letter. */
const deferredReceives = 40;

/** Longer than anybody needs to look into a failure, as short as data of people has to be kept. */
const failedChangesKept = Duration.days(30);

/** What brings webhooks on their way, and what keeps what could not be brought there. */
export class Deliveries extends Construct {
  /** For receivers that answer quickly. */
  readonly main: Queue;
  /** For those that let us wait, or that nobody has met yet. */
  readonly slow: Queue;
  readonly deadLetters: Queue;
  /** Changes of records that would have kept other accounts waiting. */
  readonly deferredChanges: Queue;
  readonly deferredDeadLetters: Queue;
  /** Changes of records that could not be made into events, whole. */
  readonly failedChanges: Bucket;

  constructor(scope: Construct, id: string, settings: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', settings);
    const lane = { settings, timeout: deliverTimeout, deadLetters: this.deadLetters };
    this.main = workQueue(this, 'Main', lane);
    this.slow = workQueue(this, 'Slow', lane);
    this.deferredDeadLetters = deadLetterQueue(this, 'DeferredDeadLetters', settings);
    this.deferredChanges = workQueue(this, 'DeferredChanges', {
      settings,
      timeout: deferredTimeout,
      deadLetters: this.deferredDeadLetters,
      receivesMax: deferredReceives,
    });
    this.failedChanges = new Bucket(this, 'FailedChanges', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      lifecycleRules: [{ expiration: failedChangesKept }],
      removalPolicy: removalPolicyOf(settings),
      // A bucket with something in it could not be taken away, and nor could its stack.
      autoDeleteObjects: !settings.keepData,
    });
    acknowledgeFindings(this.failedChanges, {
      S1: 'Only one function writes here, after a failure, and what it wrote is gone after thirty days',
    });
  }
}
