import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { messageText, sqs } from '../../aws/queues.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../logs/log.ts';
import { accountOf } from '../../records/change.ts';
import { parsed } from '../../values/json.ts';

/** How many changes a message has at most: about as many as one transaction takes for an account with one subscription. */
const changesMax = 50;

/**
 * SQS accepts 1 MiB. A change is at most about a half of that: the record before and after. An order has at most 190 KB in an answer,
 * and 500 lines, whose values take some 50 KB more in the form of the stream.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const bytesMax = 1_000_000;

/**
 * Sends changes of one account to the queue of deferred changes. They are sent complete, because the earlier state of a record
 * is stored nowhere else.
 * @returns those that the queue accepted
 */
export async function deferChanges(
  changes: readonly DynamoDBRecord[],
  perMessage = changesMax,
): Promise<DynamoDBRecord[]> {
  const taken = await Promise.all(messagesOf(changes, perMessage).map(send));
  return taken.flat();
}

/** @returns the changes of a message; undefined when it holds none */
export function readDeferred(body: string): [DynamoDBRecord, ...DynamoDBRecord[]] | undefined {
  const { changes } = (parsed(body) ?? {}) as { changes?: DynamoDBRecord[] };
  const isRead = Array.isArray(changes) && changes.every((change) => change?.dynamodb?.Keys?.pk?.S);
  return isRead && changes[0] ? [changes[0], ...changes.slice(1)] : undefined;
}

/** A message that is being filled. */
interface Message {
  changes: DynamoDBRecord[];
  parts: string[];
  bytes: number;
}

function messagesOf(changes: readonly DynamoDBRecord[], perMessage: number): Message[] {
  const messages: Message[] = [];
  for (const change of changes) {
    const part = messageText(change);
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

async function send({ changes, parts }: Message): Promise<DynamoDBRecord[]> {
  const account = accountOf(changes[0] as DynamoDBRecord);
  try {
    await sqs().send(
      new SendMessageCommand({
        QueueUrl: required(env.deferredChangesQueue),
        MessageBody: `{"changes":[${parts.join(',')}]}`,
        // SQS serves the groups of a queue fairly: an account with many changes does not delay the others.
        MessageGroupId: account,
      }),
    );
    return changes;
  } catch (error) {
    log.warn('changes were not deferred', { account, count: changes.length, error: describeError(error) });
    return [];
  }
}
