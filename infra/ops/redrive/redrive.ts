import { GetQueueAttributesCommand, type SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { Argument } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { countOf } from '../../terminal/output.ts';
import { connect, type Target, targetOptions } from '../connection.ts';
import type { DeadLetters, FailedWork } from './failedWork.ts';
import { replayChanges } from './replayChanges.ts';

// npm run ops -- redrive records | deliveries | deferred | changes

export const program = targetOptions(new OpsCommand('redrive'))
  .description(
    'Try work again that failed for good, after its cause is fixed: dead letters of the records inbox, of deliveries or of deferred changes, ' +
      'or changes that could not be made into events or indexed. SQS moves dead letters; one that fails again comes back. ' +
      'It can be run again safely: work that is done twice has one effect.',
  )
  .addArgument(new Argument('<what>').choices(['records', 'deliveries', 'deferred', 'changes']))
  .action(redrive);

async function redrive(
  what: keyof FailedWork['queues'] | 'changes',
  { json, ...target }: Target,
): Promise<void> {
  const failedWork = (await connect(target)).failedWork();
  const { again, stays } =
    what === 'changes'
      ? await replayChanges(failedWork)
      : { again: await moveAll(failedWork.sqs, failedWork.queues[what]), stays: 0 };
  const counted = countOf(again, what === 'changes' ? 'document' : 'dead letter');
  console.log(
    json
      ? JSON.stringify({ again, stays })
      : `${counted} of ${what} ${again === 1 ? 'is' : 'are'} tried again, ${stays} ${stays === 1 ? 'stays' : 'stay'}`,
  );
  if (stays > 0) process.exitCode = 1;
}

/**
 * Starts to move dead letters back. SQS continues after the command has ended.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
 * @returns the approximate number of dead letters
 */
async function moveAll(sqs: SQSClient, queues: readonly DeadLetters[]): Promise<number> {
  let found = 0;
  for (const { from, to } of queues) {
    const { QueueArn: SourceArn, ApproximateNumberOfMessages: count } = await attributesOf(sqs, from);
    const { QueueArn: DestinationArn } = await attributesOf(sqs, to);
    if (count !== '0') await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    found += Number(count);
  }
  return found;
}

async function attributesOf(sqs: SQSClient, QueueUrl: string) {
  const AttributeNames = ['QueueArn' as const, 'ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Attributes as Record<(typeof AttributeNames)[number], string>;
}
