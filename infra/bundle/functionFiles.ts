import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileOf, operations } from '../../lib/contract/index.ts';

/** The Lambdas that no URL leads to. */
const withoutUrl = [
  'functions/authorizer.ts',
  'functions/pipeline/ingestRecords.ts',
  'functions/pipeline/fanOutChanges.ts',
  'functions/pipeline/fanOutDeferredChanges.ts',
  'functions/pipeline/deliverWebhook.ts',
  'functions/pipeline/sweepDeliveries.ts',
];

/**
 * The file of every Lambda, by its id.
 * @throws Error when an operation has no file or a file has no operation: better the synth fails than a request
 */
export function functionFiles(root: string): Map<string, string> {
  const expected = [...operations.map(fileOf), ...withoutUrl];
  const missing = expected.filter((file) => !existsSync(join(root, file)));
  const unexpected = globSync('functions/**/*.ts', { cwd: root }).filter((file) => !expected.includes(file));
  if (missing.length > 0)
    throw new Error(`The contract declares operations without a function: ${missing.join(', ')}`);
  if (unexpected.length > 0)
    throw new Error(
      `No operation of the contract has these functions, nor are they among those without a URL: ${unexpected.join(', ')}`,
    );
  return new Map(expected.map((file) => [basename(file, '.ts'), file]));
}
