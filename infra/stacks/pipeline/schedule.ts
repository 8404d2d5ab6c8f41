import type { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { ApiFunction } from '../api/apiFunction.ts';

/** Runs a function at regular intervals, without retries: the next run continues, and two runs at once would repeat each other's work. */
export function runEvery(
  scope: Construct,
  id: string,
  interval: Duration,
  lambda: ApiFunction['lambda'],
): void {
  const once = { retryAttempts: 0, maxEventAge: interval };
  lambda.configureAsyncInvoke(once);
  const targets = [new LambdaFunction(lambda, once)];
  new Rule(scope, id, { schedule: Schedule.rate(interval), targets });
}
