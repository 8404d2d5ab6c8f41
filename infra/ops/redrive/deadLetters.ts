import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { readMessage } from '../../../lib/inbox/message.ts';
import { readItems } from '../../../lib/lists/deferred/deferredItems.ts';
import { accountOf } from '../../../lib/records/change.ts';
import { readDeferred } from '../../../lib/webhooks/events/deferredChanges.ts';
import { readJobMessage } from '../../../lib/webhooks/jobs/queue.ts';
import { whyNot } from '../lines/sendLines.ts';
import type { DeadLetters } from './givenUp.ts';
import type { RedriveJob } from './redriveJob.ts';

/** The account of a message, or why it would fail again. The reason names rules and fields, and no content of the message. */
type Judgement = { account: string } | { problem: string };

/** Judges a message of the inbox. */
export function judgeRecord(body: string): Judgement {
  const statement = readMessage(body);
  if ('problem' in statement) return { problem: statement.problem };
  const { account, resource, entry } = statement;
  const problem = whyNot(resource, entry);
  return problem === undefined ? { account } : { problem };
}

/** Judges a delivery message. */
export function judgeDelivery(body: string): Judgement {
  const message = readJobMessage(body);
  return message ? { account: message.account } : { problem: 'the message names no job' };
}

/** Judges a message of deferred changes. */
export function judgeDeferred(body: string): Judgement {
  const changes = readDeferred(body);
  return changes ? { account: accountOf(changes[0]) } : { problem: 'the message holds no changes' };
}

/** Judges a message of deferred items. */
export function judgeItems(body: string): Judgement {
  const message = readItems(body);
  return message ? { account: message.account } : { problem: 'the message names no items' };
}

/** The most messages of one call. */
const atOnce = 10;

/** How long received messages stay invisible. After a crash they can be received again then. */
const invisibleSeconds = 300;

/** When messages that stay become visible again. With 0 the embedded SQS would not find them until its next start. */
const soonSeconds = 1;

/** With long polling SQS asks all its servers, so an empty answer means an empty queue. */
const waitSeconds = 1;

/**
 * Sends dead letters again, except those that would fail again. A message is sent before it is deleted: a crash in between
 * sends it twice, which does no harm, and loses nothing.
 */
export async function redriveMessages(
  letters: DeadLetters,
  judge: (body: string) => Judgement,
  job: RedriveJob,
): Promise<void> {
  const seen = new Set<string>();
  const held = new Set<Message>();
  try {
    for (;;) {
      const messages = await receive(letters);
      // A message comes a second time when its invisibility has ended: then all messages have been received.
      const news = messages.filter(({ MessageId = '' }) => !seen.has(MessageId));
      if (news.length === 0) break;
      for (const message of news) {
        seen.add(message.MessageId ?? '');
        held.add(message);
      }
      const chosen = news.filter((message) => isChosen(message, judge, job));
      if (!job.dryRun) {
        await sendAgain(letters, chosen);
        for (const message of chosen) held.delete(message);
      }
      job.tally.again += chosen.length;
    }
  } finally {
    await giveBack(letters, [...held]);
  }
}

function isChosen(
  { MessageId, Body = '' }: Message,
  judge: (body: string) => Judgement,
  { account, tally }: RedriveJob,
): boolean {
  const judged = judge(Body);
  if ('account' in judged) return account === undefined || judged.account === account;
  // A message that cannot be read has no known account.
  if (account === undefined) tally.stay(`The message ${MessageId}`, judged.problem);
  return false;
}

async function receive({ sqs, from }: DeadLetters): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: from,
      MaxNumberOfMessages: atOnce,
      VisibilityTimeout: invisibleSeconds,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );
  return Messages;
}

async function sendAgain({ sqs, from, to }: DeadLetters, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return;
  await Promise.all(
    messages.map(({ Body, Attributes }) =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: to,
          MessageBody: Body,
          // Keeps the group, so that SQS serves the accounts fairly.
          ...(Attributes?.MessageGroupId ? { MessageGroupId: Attributes.MessageGroupId } : {}),
        }),
      ),
    ),
  );
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: from, Entries: entriesOf(messages) }));
}

/** Makes the messages that stay visible again. */
async function giveBack({ sqs, from }: DeadLetters, messages: readonly Message[]): Promise<void> {
  for (let at = 0; at < messages.length; at += atOnce) {
    const Entries = entriesOf(messages.slice(at, at + atOnce)).map((entry) => ({
      ...entry,
      VisibilityTimeout: soonSeconds,
    }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: from, Entries }));
  }
}

const entriesOf = (messages: readonly Message[]) =>
  messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
