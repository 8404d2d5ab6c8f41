import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../../aws/queues.ts';
import { batchesOf } from '../../concurrency.ts';
import { env, required } from '../../env.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import type { NamedItem } from '../maintain.ts';
import { bodyOf, type DeferredItems, type ItemsMessage } from './deferredItems.ts';
import { putNote, removeNote } from './notes.ts';

/**
 * How many items a message names at most. An item takes 110 bytes, and 9 for each position: a batch of changes has a hundred positions,
 * so a message has at most 250 KB. SQS accepts 1 MiB.
 */
const itemsMax = 250;

/**
 * Sends items to the queue of deferred items.
 * @returns those that the queue did not accept
 */
export async function deferItems(
  { items, ...of }: DeferredItems,
  perMessage = itemsMax,
): Promise<NamedItem[]> {
  const sent = batchesOf(items, perMessage).map((some) =>
    send({ ...of, items: some, id: randomId('items') }),
  );
  return (await Promise.all(sent)).flat();
}

async function send(message: ItemsMessage): Promise<readonly NamedItem[]> {
  const { account, items } = message;
  try {
    await putNote(message);
    await sendNoted(message);
    return [];
  } catch (error) {
    log.warn('items were not deferred', { account, items: items.length, error: describeError(error) });
    return items;
  }
}

async function sendNoted(message: ItemsMessage): Promise<void> {
  try {
    await sqs().send(
      new SendMessageCommand({
        QueueUrl: required(env.deferredItemsQueue),
        MessageBody: bodyOf(message),
        // SQS serves the groups of a queue fairly: an account with many items does not delay the others.
        MessageGroupId: message.account,
      }),
    );
  } catch (error) {
    await removeNote(message);
    throw error;
  }
}
