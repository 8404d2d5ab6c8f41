import type { DynamoDBRecord } from 'aws-lambda';
import { handler as sweepDeliveriesHandler } from '../../functions/pipeline/sweepDeliveries.ts';
import type { Change } from '../../infra/local/stream/streamClient.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '../../lib/contract/webhookDeliveries.ts';
import { deferItems } from '../../lib/lists/deferred/deferItems.ts';
import { listOrders } from '../../lib/resources/orders/operations.ts';
import { deferChanges } from '../../lib/webhooks/events/deferredChanges.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import {
  DeliveryQueues,
  deliverBatch,
  messageOf,
  type ReceivedMessage,
} from '../support/pipeline/deliveryQueues.ts';
import { tagItem } from '../support/pipeline/expectedIndex.ts';
import type { OwnStack } from '../support/pipeline/ownStack.ts';
import { handOver, index, indexLogs, Stream } from '../support/pipeline/stream.ts';
import { account } from './content.ts';
import { type AuthorizerContext, call, ingestAgain } from './invoke.ts';

const sweepDeliveries = asFunction('sweepDeliveries', sweepDeliveriesHandler);

/** A change without the numbers and times that the embedded database assigns. */
export const renumbered = (change: Change, i: number): Change => ({
  ...change,
  eventID: String(i),
  dynamodb: {
    ...change.dynamodb,
    SequenceNumber: String(i),
    ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
  },
});

/** The functions behind streams, queues and schedules, called by hand. */
export class Pipeline {
  /** All changes of records so far, in the form that functions get. */
  readonly changes: Change[] = [];
  private readonly queues: DeliveryQueues;
  private readonly stream: Stream;
  private readonly logs: Stream;
  private readonly context: AuthorizerContext;
  private readonly queuesEndpoint: string;

  /** @param context of a key with access to everything */
  constructor(stack: OwnStack, context: AuthorizerContext) {
    this.queues = new DeliveryQueues(stack);
    this.stream = new Stream(stack);
    this.logs = new Stream(stack, stack.webhooksTable);
    this.context = context;
    this.queuesEndpoint = stack.queuesEndpoint;
  }

  close(): void {
    this.queues.close();
  }

  /** Fans out and indexes the changes since the last call, and gives them their numbers. */
  async fanOut(): Promise<void> {
    const changes = await this.stream.changes();
    const givenUp = [...(await handOver(changes)), ...(await handOver(changes, index))];
    if (givenUp.length > 0) throw new Error('Some changes could not be fanned out or indexed');
    this.changes.push(...changes);
  }

  /** Indexes the changes of deliveries since the last call. */
  async indexLogs(): Promise<void> {
    const givenUp = await handOver(await this.logs.all(), indexLogs);
    if (givenUp.length > 0) throw new Error('Some deliveries could not be indexed');
  }

  /** Delivers messages of the inbox again together, as after a crashed invocation. */
  comeBack(bodies: readonly string[]): Promise<void> {
    return ingestAgain(this.queuesEndpoint, bodies);
  }

  /** Defers the latest change, as when its account has no time left, and an item of the index, as when it is over its budget. */
  async defer(): Promise<void> {
    const latest = this.changes.slice(-1).map(renumbered);
    const taken = await deferChanges(latest as DynamoDBRecord[]);
    if (taken.length < latest.length) throw new Error('The queue did not take the change');
    const key = tagItem(account, 'vip', 0);
    const items = [{ key, isLeaf: false, evaluated: new Set([0]), added: new Map([[1, undefined]]) }];
    const since = new Date().toISOString();
    const refused = await deferItems({ account, type: 'contact', since, items });
    if (refused.length > 0) throw new Error('The queue did not take the item');
  }

  /**
   * Handles every message that can be received, one after the other: in parallel they would take random numbers in any
   * order.
   */
  async deliverAll(): Promise<void> {
    for (;;) {
      const [message] = await this.nextMessage();
      if (!message) return;
      if ((await deliverBatch([message])).length > 0) throw new Error('A message could not be answered');
      await this.queues.delete([message]);
    }
  }

  private async nextMessage(): Promise<ReceivedMessage[]> {
    const quick = await this.queues.receive('quick', 1);
    return quick.length > 0 ? quick : this.queues.receive('slow', 1);
  }

  /** Answers one message about one delivery. */
  async deliver(subscription_id: string, delivery_id: string): Promise<void> {
    const failed = await deliverBatch([messageOf({ account, subscription_id, delivery_id })]);
    if (failed.length > 0) throw new Error('A message could not be answered');
  }

  /** Answers a message about each delivery of a subscription, in one invocation. */
  async deliverTogether(subscription_id: string): Promise<void> {
    const ids = await this.deliveriesOf(subscription_id);
    const failed = await deliverBatch(
      ids.map((delivery_id) => messageOf({ account, subscription_id, delivery_id })),
    );
    if (failed.length > 0) throw new Error('A message could not be answered');
  }

  sweep(): Promise<void> {
    return sweepDeliveries({} as never, lambdaContext(60_000));
  }

  /** The ids of the deliveries of a subscription, newest first. */
  async deliveriesOf(subscriptionId: string): Promise<string[]> {
    const { data } = await call(listWebhookDeliveries, this.context, { params: { subscriptionId } });
    return data.map(({ id }) => id);
  }

  /** When the newest delivery of a subscription is tried next, RFC 3339 UTC; null when it is not. */
  async nextAttempt(subscriptionId: string): Promise<string | null> {
    const [deliveryId = ''] = await this.deliveriesOf(subscriptionId);
    const delivery = await call(getWebhookDelivery, this.context, { params: { subscriptionId, deliveryId } });
    return delivery.next_attempt_at;
  }

  /** When the oldest delivery of a subscription is tried next. */
  async oldestAttempt(subscriptionId: string): Promise<string | null> {
    const deliveryId = (await this.deliveriesOf(subscriptionId)).at(-1) as string;
    const delivery = await call(getWebhookDelivery, this.context, { params: { subscriptionId, deliveryId } });
    return delivery.next_attempt_at;
  }

  async firstOrder(): Promise<string> {
    const { data } = await call(listOrders, this.context);
    return data[0]?.id as string;
  }
}
