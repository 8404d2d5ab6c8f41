import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { parsed } from '../../contract/values/json.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { sqs } from '../../queues.ts';
import { accountOf } from './change.ts';

/** Changes of one message: about what one transaction takes for an account with one subscription. */
const changesMax = 50;

/**
 * SQS takes 1 MiB. A change is at most about a third of that: a record, at most 60 KB in an answer, as it was and as it is.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const bytesMax = 1_000_000;

/**
 * Puts changes of one account into the queue of deferred changes, whole: what a record was before is nowhere else.
 * @returns those that the queue took; all others are as they were
 */
export async function deferChanges(
  changes: readonly DynamoDBRecord[],
  perMessage = changesMax,
): Promise<DynamoDBRecord[]> {
  const taken = await Promise.all(messagesOf(changes, perMessage).map(send));
  return taken.flat();
}

/** @returns the changes of a message; undefined when it is none of ours */
export function readDeferred(body: string): [DynamoDBRecord, ...DynamoDBRecord[]] | undefined {
  const { changes } = (parsed(body) ?? {}) as { changes?: DynamoDBRecord[] };
  const isRead = Array.isArray(changes) && changes.every((change) => change?.dynamodb?.Keys?.pk?.S);
  return isRead && changes[0] ? [changes[0], ...changes.slice(1)] : undefined;
}

/** A message, and what is in it. */
interface Message {
  changes: DynamoDBRecord[];
  parts: string[];
  bytes: number;
}

function messagesOf(changes: readonly DynamoDBRecord[], perMessage: number): Message[] {
  const messages: Message[] = [];
  for (const change of changes) {
    const part = textOf(change);
    const bytes = Buffer.byteLength(part) + 1;
    const last = messages.at(-1);
    if (last && last.changes.length < perMessage && last.bytes + bytes <= bytesMax) {
      last.changes.push(change);
      last.parts.push(part);
      last.bytes += bytes;
    } else messages.push({ changes: [change], parts: [part], bytes });
  }
  return messages;
}

/** JSON without the two characters that JSON allows and SQS does not: it would put others in their place, or refuse the message. */
const textOf = (change: DynamoDBRecord): string =>
  JSON.stringify(change).replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');

async function send({ changes, parts }: Message): Promise<DynamoDBRecord[]> {
  const account = accountOf(changes[0] as DynamoDBRecord);
  try {
    await sqs().send(
      new SendMessageCommand({
        QueueUrl: required(env.deferredChangesQueue),
        MessageBody: `{"changes":[${parts.join(',')}]}`,
        // SQS serves the groups of a queue fairly: an account with many changes here does not push the others back.
        MessageGroupId: account,
      }),
    );
    return changes;
  } catch (error) {
    log.warn('changes were not deferred', { account, count: changes.length, error: describeError(error) });
    return [];
  }
}
