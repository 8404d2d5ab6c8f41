import { GetQueueAttributesCommand, type SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { Argument } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { countOf } from '../../terminal/output.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import type { DeadLetters, GivenUp } from './givenUp.ts';
import { replayChanges } from './replayChanges.ts';

// npm run ops -- redrive records | deliveries | deferred-changes | deferred-items | changes

const queues = {
  records: ({ records }: GivenUp) => records,
  deliveries: ({ deliveries }: GivenUp) => deliveries,
  'deferred-changes': ({ deferredChanges }: GivenUp) => deferredChanges,
  'deferred-items': ({ deferredItems }: GivenUp) => deferredItems,
};

const words = [...Object.keys(queues), 'changes'];

export const program = targetOptions(new OpsCommand('redrive'))
  .description(
    'Try work again that was given up, after its cause is fixed: dead letters of the records inbox, of deliveries, of deferred changes or of ' +
      'deferred items, or changes that could not be made into events or indexed. SQS moves dead letters; one that fails again comes back. ' +
      'It can be run again safely: work that is done twice has one effect.',
  )
  .addArgument(new Argument('<what>').choices(words))
  .option('--dry-run', 'show what is there, and change nothing')
  .option('--json', 'print the counts as JSON')
  .action(redrive);

interface Options extends Target {
  dryRun?: boolean;
  json?: boolean;
}

async function redrive(
  what: keyof typeof queues | 'changes',
  { dryRun = false, json, ...target }: Options,
): Promise<void> {
  const givenUp = (await connect(target)).givenUp();
  const isQueue = what !== 'changes';
  const { again, stays } = isQueue
    ? { again: await moveAll(queues[what](givenUp), dryRun), stays: 0 }
    : await replayChanges(givenUp, dryRun);
  const counted = countOf(again, isQueue ? 'dead letter' : 'document');
  const verb = dryRun ? 'would be' : again === 1 ? 'is' : 'are';
  console.log(
    json
      ? JSON.stringify({ again, stays, dry_run: dryRun })
      : `${counted} of ${what} ${verb} tried again, ${stays} ${stays === 1 ? 'stays' : 'stay'}`,
  );
  if (stays > 0) process.exitCode = 1;
}

/**
 * Lets SQS move dead letters back, which it goes on with after the command.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @returns about how many there are
 */
async function moveAll({ sqs, from, to }: DeadLetters, dryRun: boolean): Promise<number> {
  const { QueueArn: SourceArn, ApproximateNumberOfMessages: count } = await attributesOf(sqs, from);
  const { QueueArn: DestinationArn } = await attributesOf(sqs, to);
  if (!dryRun && count !== '0')
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  return Number(count);
}

async function attributesOf(sqs: SQSClient, QueueUrl: string) {
  const AttributeNames = ['QueueArn' as const, 'ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Attributes as Record<(typeof AttributeNames)[number], string>;
}
