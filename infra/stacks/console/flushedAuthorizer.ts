import { Duration, Stack } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { env } from '../../../lib/env.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { staleAnswerSeconds } from '../api/authorizerSeconds.ts';

const timeout = Duration.seconds(10);

/** No response of the authorizer is cached for longer, so a later flush has no effect. */
const kept = Duration.hours(1);

/** The stage of the public API whose authorizer responses are cached. */
export interface PublicStage {
  restApiId: string;
  stageName: string;
}

/**
 * Flushes the authorizer's cache after a key changes in the console. API Gateway's control plane accepts ten requests a second for the whole
 * AWS account, and deployments need them. So a queue collects the changes, and only one function has the permission.
 */
export class AuthorizerFlush extends Construct {
  readonly queue: Queue;

  constructor(
    scope: Construct,
    id: string,
    { publicStage, ...functionProps }: FunctionProps & { publicStage: PublicStage },
  ) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: kept,
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    });
    acknowledgeFindings(this.queue, {
      SQS3: 'A message that was not handled for an hour has nothing left to do: what was cached has expired',
    });
    const { restApiId, stageName } = publicStage;
    const made = new ApiFunction(this, 'flushAuthorizer', { ...functionProps, timeout });
    made.lambda.addEnvironment(env.restApiId, restApiId);
    made.lambda.addEnvironment(env.stageName, stageName);
    const { partition, region } = Stack.of(this);
    made.allow(
      ['apigateway:DELETE'],
      `arn:${partition}:apigateway:${region}::/restapis/${restApiId}/stages/${stageName}/cache/authorizers`,
    );
    made.takeFrom(this.queue);
    new EventSourceMapping(this, 'Source', {
      target: made.lambda,
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      maxConcurrency: 2,
    });
  }

  askedBy(made: ApiFunction): void {
    made.sendTo(this.queue, env.keyChangesQueue);
    made.lambda.addEnvironment(env.staleAnswerSeconds, String(staleAnswerSeconds));
  }
}
