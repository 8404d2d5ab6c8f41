import { randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { handler as ingestRecords } from '../../../functions/pipeline/ingestRecords.ts';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import type { Work } from '../../../infra/ops/price/price.ts';
import { batchesOf } from '../../../lib/concurrency.ts';
import { aContact, givenAccount, givenContacts, givenSubscription } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';
import { lambdaContext } from '../../support/http/events.ts';
import { deliverBatch, messageOf, type ReceivedMessage } from '../../support/pipeline/deliveryQueues.ts';
import { openOwnStack } from '../../support/pipeline/ownStack.ts';
import { Receiver } from '../../support/pipeline/receiver.ts';
import { fanOut, index, indexLogs, Stream } from '../../support/pipeline/stream.ts';
import { median, timed } from '../report/statistics.ts';
import { consumedBy } from './consumed.ts';

/** How many changes, deliveries or messages come in a batch. How many do is not known before the first deployment. */
const inBatch = 5;

const amount = 150;

/** How long a receiver takes to answer. The function waits for it, and for nothing else of an attempt. */
const receiverMs = 100;

/** What the pipeline takes for one change of a record, for one event with one delivery, and for one message of the inbox. */
export interface PipelineWork {
  change: Work;
  event: Work;
  message: Work;
}

/**
 * Separate tables take the place of those of this process. Messages are taken on their way, because its SQS client stays that of the stack,
 * whose function finds no such delivery.
 * @param memoryMb of the functions
 */
export async function pipelineWork(memoryMb: number): Promise<PipelineWork> {
  const stack = await openOwnStack();
  const [records, logs] = [new Stream(stack), new Stream(stack, stack.webhooksTable)];
  const receiver = new Receiver();
  await receiver.open();
  /** What a function takes for all of these, in batches, and of that the share of each of as many things. */
  const shareOf = async <Item>(
    items: readonly Item[],
    work: (batch: Item[]) => Promise<unknown>,
    { size = inBatch, things = items.length } = {},
  ): Promise<Work> => {
    const batches = batchesOf(items, size);
    const ms: number[] = [];
    const { read, write } = await consumedBy(async () => {
      for (const batch of batches) ms.push((await timed(() => work(batch))).ms);
    });
    const invocations = batches.length / things;
    return {
      read: read / things,
      write: write / things,
      ms: median(ms) * invocations,
      memoryMb,
      invocations,
      sqsCalls: 0,
    };
  };
  const changesOf = async (account: string): Promise<Change[]> => {
    await records.changes();
    await givenContacts(
      account,
      Array.from({ length: amount }, () => aContact({ email: `${randomUUID()}@example.com` })),
    );
    return await records.changes();
  };
  try {
    const all = async (failed: Promise<string[]>) => {
      if ((await failed).length > 0) throw new Error('changes failed');
    };
    const unseen = await changesOf(givenAccount());
    const alone = await shareOf(unseen, (batch) => all(fanOut(batch)));
    const change = sum(alone, await shareOf(unseen, (batch) => all(index(batch))));
    const account = givenAccount();
    await givenSubscription(account, { url: receiver.url('hook') });
    const messages: ReceivedMessage[] = [];
    const given = await changesOf(account);
    const undo = onWire((call, send) => {
      if (call.name === 'SendMessageBatch')
        for (const { MessageBody } of call.input.Entries as { MessageBody: string }[])
          messages.push(messageOf(JSON.parse(MessageBody)));
      return send();
    });
    const events = await shareOf(given, (batch) => all(fanOut(batch)));
    undo();
    if (messages.length !== amount) throw new Error(`${messages.length} messages for ${amount} deliveries`);
    const attempts = await shareOf(messages, deliverBatch, { size: 1 });
    const ofDeliveries = (await logs.all()).filter(isOfDelivery);
    // What happens to a delivery within a second comes in one batch.
    const size = Math.round((inBatch * ofDeliveries.length) / amount);
    const logged = await shareOf(ofDeliveries, (batch) => all(indexLogs(batch)), { size, things: amount });
    const event = sum(minus(events, alone), { ...attempts, ms: attempts.ms + receiverMs }, logged);
    const message = await shareOf(recordsOf(givenAccount()), async (Records) => {
      const { batchItemFailures } = await ingestRecords({ Records }, lambdaContext(30_000));
      if (batchItemFailures.length > 0) throw new Error('messages were not ingested');
    });
    return {
      change,
      // The fan-out sends, and Lambda receives and deletes: a batch of messages each.
      event: { ...event, sqsCalls: 1 / inBatch + 2 },
      message: { ...message, sqsCalls: 1 + 2 / inBatch },
    };
  } finally {
    receiver.close();
    await stack.stop();
  }
}

/** The filter of the template. */
const isOfDelivery = ({ dynamodb: { Keys } }: Change): boolean =>
  /#\d+$/.test(Keys?.pk?.S ?? '') && /^\d/.test(Keys?.sk?.S ?? '');

const recordsOf = (account: string): SQSRecord[] =>
  Array.from({ length: amount }, (_, i) => ({
    messageId: randomUUID(),
    receiptHandle: '',
    body: JSON.stringify({
      account,
      resource: 'contacts',
      record: {
        external_id: `crm-${i}`,
        email: `ada-${i}@example.com`,
        updated_at: new Date().toISOString(),
      },
    }),
    attributes: { ApproximateReceiveCount: '1', MessageGroupId: account },
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:records',
  })) as unknown as SQSRecord[];

const sum = (...works: Work[]): Work => works.reduce((a, b) => combined(a, b, 1));
const minus = (a: Work, b: Work): Work => combined(a, b, -1);
const combined = (a: Work, b: Work, sign: 1 | -1): Work => ({
  read: a.read + sign * b.read,
  write: a.write + sign * b.write,
  ms: a.ms + sign * b.ms,
  memoryMb: a.memoryMb,
  invocations: a.invocations + sign * b.invocations,
  sqsCalls: a.sqsCalls + sign * b.sqsCalls,
});
