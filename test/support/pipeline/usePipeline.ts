import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import type { SubscriptionDraft } from '../../../lib/contract/webhookSubscriptions.ts';
import { env, required } from '../../../lib/env.ts';
import { aContact, givenAccount, givenContacts, givenSubscription } from '../data/given.ts';
import { divertLog } from '../run/logLines.ts';
import { type Counts, checkConservation, type GivenSubscriber } from './conservation.ts';
import { DeferredQueue, fanOutMessage, indexMessage } from './deferred.ts';
import { DeliveryQueues } from './deliveryQueues.ts';
import { type OwnStack, openOwnStack } from './ownStack.ts';
import { Receiver, type WebhookRequest } from './receiver.ts';
import { accountOf, handOver, index, Stream } from './stream.ts';
import { VirtualTime } from './time.ts';

let subscriptions = 0;

/** The pipeline in this process, with separate tables, queues and a receiver for the tests of one file. */
class Pipeline {
  stream!: Stream;
  /** The stream of the Webhooks table. */
  logs!: Stream;
  queues!: DeliveryQueues;
  deferred!: DeferredQueue;
  deferredIndex!: DeferredQueue;
  time!: VirtualTime;
  readonly receiver = new Receiver();
  private stack!: OwnStack;
  private log!: ReturnType<typeof divertLog>;

  async open(): Promise<void> {
    this.log = divertLog();
    this.stack = await openOwnStack();
    this.stream = new Stream(this.stack);
    this.logs = new Stream(this.stack, this.stack.webhooksTable);
    this.queues = new DeliveryQueues(this.stack);
    const { deferredDeadLettersUrl, deferredIndexDeadLettersUrl } = this.stack;
    const changes = { url: required(env.deferredFanOutQueue), deadLettersUrl: deferredDeadLettersUrl };
    this.deferred = new DeferredQueue(changes, fanOutMessage);
    const items = { url: required(env.deferredIndexQueue), deadLettersUrl: deferredIndexDeadLettersUrl };
    this.deferredIndex = new DeferredQueue(items, (message) => indexMessage(message));
    this.time = new VirtualTime(this.queues, this.deferred);
    this.time.open();
    await this.receiver.open();
  }

  async close(): Promise<void> {
    this.time.close();
    this.receiver.close();
    this.queues.close();
    this.deferred.close();
    this.deferredIndex.close();
    await this.stack.stop();
    this.log.end();
  }

  /** A subscription with its own path on the receiver. By default its account is new. */
  async subscribe(more: Partial<SubscriptionDraft> = {}, account = givenAccount()): Promise<GivenSubscriber> {
    const path = `hook-${++subscriptions}`;
    const url = this.receiver.url(path);
    const { id, secret, event_types } = await givenSubscription(account, { url, ...more });
    this.receiver.trust(path, secret);
    return { account, id, path, event_types };
  }

  /** Lets events happen in an account, and fans them out. */
  async happens({ account }: Pick<GivenSubscriber, 'account'>, amount = 1): Promise<void> {
    await givenContacts(
      account,
      Array.from({ length: amount }, () => aContact({ note: 'a canary' })),
    );
    await this.fanOut();
  }

  receivedBy({ path }: GivenSubscriber): WebhookRequest[] {
    return this.receiver.requestsAt(path);
  }

  /** The changes in the stream since the last call, by account. */
  async changes(): Promise<Map<string, Change[]>> {
    return Map.groupBy(await this.stream.changes(), accountOf);
  }

  /** Fans out the changes in the stream since the last call. */
  async fanOut(): Promise<void> {
    const changes = await this.stream.changes();
    for (let at = 0; at < changes.length; at += changesAtOnce)
      expect(await handOver(changes.slice(at, at + changesAtOnce))).toEqual([]);
    expect(await this.deferred.handleAll()).toBe(0);
  }

  /** Indexes the changes in the stream since the last call, and what that has deferred. */
  async index(): Promise<void> {
    for (const changes of (await this.changes()).values()) expect(await index(changes)).toEqual([]);
    expect(await this.deferredIndex.handleAll()).toBe(0);
  }

  /** The queue that the outbox is in the local stack. No function of this pipeline sends to it, unless a test says so. */
  outboxUrl(): string {
    return this.stack.outboxUrl;
  }

  /** The log so far. */
  logged(): string {
    return this.log.text();
  }

  /** Checks that nothing is lost. @param all every subscription that the account has, or had */
  check(...all: GivenSubscriber[]): Promise<Counts> {
    return checkConservation(this.receiver, all);
  }
}

const changesAtOnce = 100;

/** A pipeline for the tests of a file. Its clock is reset after each test. */
export function usePipeline(): Pipeline {
  const pipeline = new Pipeline();
  beforeAll(() => pipeline.open());
  afterEach(() => {
    pipeline.time.reset();
    pipeline.receiver.reply = () => 204;
  });
  afterAll(() => pipeline.close());
  return pipeline;
}
