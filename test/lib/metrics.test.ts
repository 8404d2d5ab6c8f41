import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { untilCommitted, writeIf } from '../../lib/dynamodb/conflicts.ts';
import { conflictMetrics, overdue, timed } from '../../lib/metrics.ts';

const directivesOf = ({ _aws }: Record<string, unknown>) =>
  (_aws as { CloudWatchMetrics: object[] }).CloudWatchMetrics;

const ofConflicts = {
  Namespace: 'local',
  Dimensions: [[]],
  Metrics: [{ Name: 'conflicts', Unit: 'Count' }],
};

test('a time is told in whole milliseconds, by what took it and how it ended', () => {
  const fields = timed('2xx', 12.6);
  expect(fields).toMatchObject({ outcome: '2xx', duration_ms: 13 });
  expect(directivesOf(fields)).toEqual([
    {
      Namespace: 'local',
      Dimensions: [['operation', 'outcome']],
      Metrics: [{ Name: 'duration_ms', Unit: 'Milliseconds' }],
    },
  ]);
});

test('a failure is told by the version of the code as well, and nothing else is', () => {
  process.env.AWS_LAMBDA_FUNCTION_VERSION = '7';
  onTestFinished(() => void delete process.env.AWS_LAMBDA_FUNCTION_VERSION);
  expect(timed('5xx', 1)).toMatchObject({
    version: '7',
    _aws: {
      CloudWatchMetrics: [
        {
          Dimensions: [
            ['operation', 'outcome'],
            ['operation', 'outcome', 'version'],
          ],
        },
      ],
    },
  });
  for (const outcome of ['2xx', '4xx', 'failed']) expect(timed(outcome, 1)).not.toHaveProperty('version');
});

test('lateness is told in whole seconds, and also when there is none', () => {
  expect(overdue(61_900)).toMatchObject({ overdue_seconds: 61 });
  expect(overdue(0)).toMatchObject({ overdue_seconds: 0 });
});

test('conflicts are told once, with whatever is told next', async () => {
  expect(conflictMetrics()).toEqual({});
  let tries = 0;
  const conflict = new TransactionConflictException({ message: 'conflict', $metadata: {} });
  await untilCommitted(Date.now() + 5000, async () => (++tries > 2 ? {} : undefined));
  await writeIf(async () => {
    if (++tries < 5) throw conflict;
  });
  const fields = timed('2xx', 1);
  expect(fields.conflicts).toBe(3);
  expect(directivesOf(fields)).toHaveLength(2);
  expect(directivesOf(fields)[1]).toEqual(ofConflicts);
  expect(timed('2xx', 1)).not.toHaveProperty('conflicts');
});

test('a line with nothing else to measure tells conflicts, when there were any', async () => {
  let tries = 0;
  await untilCommitted(Date.now() + 5000, async () => (++tries > 1 ? {} : undefined));
  const fields = conflictMetrics();
  expect(fields.conflicts).toBe(1);
  expect(directivesOf(fields)).toEqual([ofConflicts]);
  expect(conflictMetrics()).toEqual({});
});
