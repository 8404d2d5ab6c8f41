import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { ApiFunction } from '../api/apiFunction.ts';

/** Runs a function every hour that continues where its last run has stopped. */
export function runEveryHour(scope: Construct, lambda: ApiFunction['lambda']): void {
  // No retries: the next run continues.
  const once = { retryAttempts: 0, maxEventAge: Duration.hours(1) };
  lambda.configureAsyncInvoke(once);
  new Rule(scope, 'EveryHour', {
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new LambdaFunction(lambda, once)],
  });
}
