import type { StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { consoleTestWebhookSubscription } from '../../../lib/contract/console/consoleWebhooks.ts';
import { testWebhookSubscription } from '../../../lib/contract/webhookDeliveries.ts';
import type { BaseOperation } from '../../../lib/resources/operation.ts';
import type { StageSettings } from '../stages/stages.ts';

// A test of a receiver occupies a function until the receiver responds, for 15 seconds at most. The public API and the console each have one
// operation for it, with the same limits.

const tests: readonly BaseOperation[] = [testWebhookSubscription, consoleTestWebhookSubscription];

/** Limits the tests in a second, for all callers of an API together. Above the limit, API Gateway returns 429. */
const throttle = { throttlingRateLimit: 20, throttlingBurstLimit: 40 };

export const testThrottles = (
  operations: readonly BaseOperation[],
): NonNullable<StageOptions['methodOptions']> =>
  Object.fromEntries(
    operations
      .filter((operation) => tests.includes(operation))
      .map(({ method, path }) => [`${path}/${method}`, throttle]),
  );

/** Returns the concurrency reserved for tests, if the operation is a test and the stage reserves any. */
export const reservedForTests = (
  operation: BaseOperation,
  { testConcurrency }: StageSettings,
): { reservedConcurrentExecutions?: number } =>
  tests.includes(operation) && testConcurrency !== undefined
    ? { reservedConcurrentExecutions: testConcurrency }
    : {};
