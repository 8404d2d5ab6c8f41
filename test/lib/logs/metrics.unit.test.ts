import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { untilCommitted, writeIf } from '../../../lib/dynamodb/conflicts.ts';
import { conflictMetrics, timed } from '../../../lib/logs/metrics.ts';

const directivesOf = ({ _aws }: Record<string, unknown>) =>
  (_aws as { CloudWatchMetrics: object[] }).CloudWatchMetrics;

const ofConflicts = {
  Namespace: 'local',
  Dimensions: [[]],
  Metrics: [{ Name: 'conflicts', Unit: 'Count' }],
};

test('only a failure is a metric, by the version of the code', () => {
  process.env.AWS_LAMBDA_FUNCTION_VERSION = '7';
  onTestFinished(() => void delete process.env.AWS_LAMBDA_FUNCTION_VERSION);
  const fields = timed('5xx', 1);
  expect(fields).toMatchObject({ version: '7' });
  expect(directivesOf(fields)).toEqual([
    {
      Namespace: 'local',
      Dimensions: [['operation', 'outcome', 'version']],
      Metrics: [{ Name: 'duration_ms', Unit: 'Milliseconds' }],
    },
  ]);
  for (const outcome of ['2xx', '4xx', 'failed']) expect(timed(outcome, 1)).not.toHaveProperty('version');
});

test('conflicts are logged once, with the next line', async () => {
  expect(conflictMetrics()).toEqual({});
  let tries = 0;
  const conflict = new TransactionConflictException({ message: 'conflict', $metadata: {} });
  await untilCommitted(Date.now() + 5000, async () => (++tries > 2 ? {} : undefined));
  await writeIf(async () => {
    if (++tries < 5) throw conflict;
  });
  const fields = timed('success', 1, 'attempts_succeeded');
  expect(fields.conflicts).toBe(3);
  expect(directivesOf(fields)).toHaveLength(2);
  expect(directivesOf(fields)[1]).toEqual(ofConflicts);
  expect(timed('2xx', 1)).not.toHaveProperty('conflicts');
});

test('a line without other metrics has conflicts, if there were any', async () => {
  let tries = 0;
  await untilCommitted(Date.now() + 5000, async () => (++tries > 1 ? {} : undefined));
  const fields = conflictMetrics();
  expect(fields.conflicts).toBe(1);
  expect(directivesOf(fields)).toEqual([ofConflicts]);
  expect(conflictMetrics()).toEqual({});
});
