import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileOf, operations } from '../../../lib/contract/index.ts';

/** The Lambdas that are not operations of the API. */
const others = [
  'functions/authorizer.ts',
  'functions/deleteRecord.ts',
  'functions/pipeline/ingestRecords.ts',
  'functions/pipeline/fanOutChanges.ts',
  'functions/pipeline/fanOutDeferredChanges.ts',
  'functions/pipeline/deliverWebhook.ts',
  'functions/pipeline/sweepDeliveries.ts',
  'functions/pipeline/indexChanges.ts',
  'functions/pipeline/indexDeferredChanges.ts',
  'functions/pipeline/indexDeliveries.ts',
  'functions/pipeline/verifyIndex.ts',
  'functions/pipeline/countRequests.ts',
  'functions/pipeline/summarizeUsage.ts',
  'functions/console/consoleApi.ts',
  'functions/console/consoleTestWebhookSubscription.ts',
  'functions/console/flushAuthorizer.ts',
  'functions/console/createConsoleLink.ts',
  'functions/console/endConsoleSessions.ts',
];

/**
 * The file of every Lambda, by its id.
 * @throws Error when an operation has no file or a file has no operation, so that the synth fails and not a request
 */
export function functionFiles(root: string): Map<string, string> {
  const expected = [...operations.map(fileOf), ...others];
  const missing = expected.filter((file) => !existsSync(join(root, file)));
  const unexpected = globSync('functions/**/*.ts', { cwd: root }).filter((file) => !expected.includes(file));
  if (missing.length > 0)
    throw new Error(`The contract declares operations without a function: ${missing.join(', ')}`);
  if (unexpected.length > 0)
    throw new Error(
      `These functions belong to no operation of the contract, and are not listed in functionFiles.ts: ${unexpected.join(', ')}`,
    );
  return new Map(expected.map((file) => [basename(file, '.ts'), file]));
}
