import type { StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { consoleTestWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { testWebhookSubscription } from '../../../lib/contract/webhookDeliveries.ts';
import type { BaseOperation } from '../../../lib/resources/operation.ts';
import type { StageSettings } from '../stages/stages.ts';

// A test of a receiver occupies a function until the receiver answers, for 15 seconds at most. The public API and the console
// have one operation for it each, with the same limits.

const tests: readonly BaseOperation[] = [testWebhookSubscription, consoleTestWebhookSubscription];

/** The limit of tests in a second, for all callers of an API together. Above it, API Gateway answers 429. */
const throttle = { throttlingRateLimit: 20, throttlingBurstLimit: 40 };

export const testThrottles = (
  operations: readonly BaseOperation[],
): NonNullable<StageOptions['methodOptions']> =>
  Object.fromEntries(
    operations
      .filter((operation) => tests.includes(operation))
      .map(({ method, path }) => [`${path}/${method}`, throttle]),
  );

/** The concurrency that only tests use, when the operation is one and the stage reserves it. */
export const reservedForTests = (
  operation: BaseOperation,
  { testConcurrency }: StageSettings,
): { reservedConcurrentExecutions?: number } =>
  tests.includes(operation) && testConcurrency !== undefined
    ? { reservedConcurrentExecutions: testConcurrency }
    : {};
