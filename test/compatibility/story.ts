import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { ScheduledEvent } from 'aws-lambda';
import { handler as verifyIndexHandler } from '../../functions/pipeline/verifyIndex.ts';
import { redeliverWebhook, testWebhookSubscription } from '../../lib/contract/webhookDeliveries.ts';
import { redeliverWebhooks } from '../../lib/contract/webhookRedeliveries.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  rotateWebhookSecret,
  type SubscriptionDraft,
  updateWebhookSubscription,
} from '../../lib/contract/webhookSubscriptions.ts';
import { dynamodb } from '../../lib/dynamodb/client.ts';
import { transact } from '../../lib/dynamodb/transact.ts';
import { env, required } from '../../lib/env.ts';
import type { Entry } from '../../lib/feed/entry.ts';
import { blockSize, type Head, headOf } from '../../lib/feed/store.ts';
import { summarize } from '../../lib/feed/summary.ts';
import { base32 } from '../../lib/ids.ts';
import { readMessage } from '../../lib/inbox/message.ts';
import { bucketOf } from '../../lib/lists/buckets.ts';
import { createdPartition } from '../../lib/lists/keys.ts';
import { differencesOf } from '../../lib/lists/verify/differences.ts';
import { repair } from '../../lib/lists/verify/repair.ts';
import { enqueue, newTicket } from '../../lib/records/create/commitQueue.ts';
import { noteContention } from '../../lib/records/create/contention.ts';
import { createInGroup } from '../../lib/records/create/createInGroup.ts';
import { newDraft } from '../../lib/records/create/draft.ts';
import { nameSuccessor } from '../../lib/records/create/outcomes.ts';
import { eraseRecord } from '../../lib/records/erasure/eraseRecord.ts';
import { readCount } from '../../lib/records/head.ts';
import { listRecords } from '../../lib/records/list.ts';
import { byKey } from '../../lib/records/origin.ts';
import { blankContact, type Contact } from '../../lib/resources/contacts/fields.ts';
import { createContact, updateContact } from '../../lib/resources/contacts/operations.ts';
import { contacts } from '../../lib/resources/contacts/record.ts';
import { resources, resourceTypes } from '../../lib/resources/index.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import { eraseEvents } from '../../lib/webhooks/erasure/eraseEvents.ts';
import { readSubscription } from '../../lib/webhooks/model/readSubscriptions.ts';
import { setBlocked } from '../../lib/webhooks/model/stoppedHosts.ts';
import { countSlow } from '../../lib/webhooks/receivers/health.ts';
import { changeByOperator } from '../../lib/webhooks/receivers/stop.ts';
import { resumeAccount, suspendAccount } from '../../lib/webhooks/subscriptions/suspendAccount.ts';
import type { Request } from '../support/http/api.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import type { Receiver } from '../support/pipeline/receiver.ts';
import { changesOf, chapters } from './chapters/chapters.ts';
import { type Signed, useConsole } from './consoleStory.ts';
import { account, messageOf, wholeContact } from './content.ts';
import type { FixedClock } from './fixed.ts';
import { type AuthorizerContext, call, ingest, request } from './invoke.ts';
import type { Pipeline } from './pipeline.ts';
import { countUsage } from './usageStory.ts';

// What happens to one account until the tables and queues hold one of everything that can be in them.

/** A request with an Idempotency-Key, and the body of its answer. */
export interface Kept {
  operation: string;
  request: Request;
  answer: unknown;
}

/** The parts of the system that a story uses. */
export interface Parts {
  clock: FixedClock;
  receiver: Receiver;
  pipeline: Pipeline;
  /** Of a key with full access. */
  context: AuthorizerContext;
}

/** What a story leaves, apart from the items. */
export interface StoryResult {
  kept: Kept[];
  inbox: string[];
  signed: Signed;
}

const ref = { account, type: 'contact' } as const;

const verifyIndex = asFunction('verifyIndex', verifyIndexHandler);

/** An address without a receiver. Its port is the same in every run, because a hash of the request is stored. */
const nowhere = 'http://127.0.0.1:9/hook';

const aDraft = () =>
  newDraft<Contact>({ ...blankContact, email: 'waiting@example.com' }, { origin: byKey('key_1') });

/** How long a draft waits. */
const waitsMs = 9000;

export class Story {
  private readonly parts: Parts;
  private readonly result: StoryResult = { kept: [], inbox: [], signed: { cookie: '', code: '' } };

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** @param during called while the last attempt is under way, when one of everything exists */
  async run(during: () => Promise<void>): Promise<StoryResult> {
    await this.receiverRefuses();
    await this.receiverFails();
    await this.receiverIsGone();
    await this.heldAreReleased();
    await this.recordsChange();
    await this.subscriptionsChange();
    await this.accountIsSuspended();
    await this.contactIsErased();
    await this.indexIsVerified();
    await this.isHeldTooLong();
    await this.manyCreateAtOnce();
    this.result.signed = await useConsole(this.parts.clock);
    await countUsage(this.parts.context);
    await this.attemptIsUnderWay(during);
    return this.result;
  }

  private call<O extends Operation>(operation: O, input: Request) {
    return call(operation, this.parts.context, input);
  }

  /** Calls with an Idempotency-Key. */
  private async callOnce<O extends Operation>(operation: O, input: Request) {
    const repeatable = { ...input, headers: { 'Idempotency-Key': `Once ${this.result.kept.length + 1}` } };
    const answer = await this.call(operation, repeatable);
    this.result.kept.push({ operation: operation.id, request: repeatable, answer });
    return answer;
  }

  private subscribe(path: string, event_types: string[], more: Partial<SubscriptionDraft> = {}) {
    const body = { url: this.parts.receiver.url(path), event_types, description: 'An example', ...more };
    return this.call(createWebhookSubscription, { body });
  }

  private changeSubscription(subscriptionId: string, body: object) {
    return this.call(updateWebhookSubscription, { params: { subscriptionId }, body });
  }

  private createContact(note: string) {
    return this.call(createContact, { body: { email: 'minimal@example.com', note } });
  }

  private async state(resource: string, record: object): Promise<void> {
    const body = messageOf(resource, record);
    const statement = readMessage(body);
    if ('problem' in statement) throw new Error(`The inbox refuses ${resource}: ${statement.problem}`);
    const refused = await ingest([body]);
    if (refused.length > 0) throw new Error(`The inbox refused ${body}`);
    this.result.inbox.push(body);
  }

  /** A receiver refuses one event while it accepts others; its delivery fails in the end. */
  private async receiverRefuses(): Promise<void> {
    const { receiver, pipeline, clock } = this.parts;
    const [reply, start] = [receiver.reply, new Date().toISOString()];
    clock.set('2026-02-20T09:00:00.000Z');
    receiver.reply = (received) =>
      received.path === 'refuses' && received.body.includes('Refused') ? 400 : reply(received);
    const { id } = await this.subscribe('refuses', ['contact.created']);
    await this.createContact('Refused');
    await pipeline.fanOut();
    await pipeline.deliverAll();
    await this.untilHeld(id);
    for (let round = 1; round <= 3; round++) {
      await this.accepts();
      clock.pass(1000);
      await this.accepts();
      await this.untilHeld(id);
    }
    clock.set(start);
  }

  private async accepts(): Promise<void> {
    await this.createContact('Accepted');
    await this.parts.pipeline.fanOut();
    await this.parts.pipeline.deliverAll();
  }

  /** Lets the oldest delivery of a subscription be tried until no attempt is planned. */
  private async untilHeld(id: string): Promise<void> {
    const { clock, pipeline } = this.parts;
    for (let due = await pipeline.oldestAttempt(id); due; due = await pipeline.oldestAttempt(id)) {
      clock.set(due);
      await pipeline.sweep();
      await pipeline.deliverAll();
    }
  }

  /** A delivery comes to the end of its schedule, and its subscription is disabled some days later. */
  private async receiverFails(): Promise<void> {
    const { clock, pipeline } = this.parts;
    await this.subscribe('informed', ['subscription.*']);
    const { id } = await this.subscribe('fails', ['contact.created']);
    await this.createContact('First');
    await pipeline.fanOut();
    await pipeline.deliverAll();
    for (let due = await pipeline.nextAttempt(id); due; due = await pipeline.nextAttempt(id)) {
      clock.set(due);
      await pipeline.sweep();
      await pipeline.deliverAll();
    }
    for (const time of ['2026-03-05T10:00:00.000Z', '2026-03-06T10:00:00.000Z']) {
      clock.set(time);
      await this.createContact('Second');
      await pipeline.fanOut();
      await pipeline.deliverAll();
    }
    const { status_reason } = await this.call(getWebhookSubscription, { params: { subscriptionId: id } });
    if (status_reason !== 'failing') throw new Error('The receiver that fails has not been given up');
    clock.set('2026-03-06T12:00:00.000Z');
    await pipeline.sweep();
    await pipeline.deliverAll();
    await this.changeSubscription(id, { status: 'active' });
    await pipeline.fanOut();
    await pipeline.deliverAll();
  }

  private async receiverIsGone(): Promise<void> {
    const { clock, pipeline } = this.parts;
    clock.set('2026-03-07T09:00:00.000Z');
    await this.subscribe('gone', ['contact.created']);
    await this.createContact('Third');
    await pipeline.fanOut();
    await pipeline.deliverAll();
  }

  /** Held deliveries are released at a pace, which a new delivery keeps, too. */
  private async heldAreReleased(): Promise<void> {
    const { clock, pipeline } = this.parts;
    clock.set('2026-03-07T12:00:00.000Z');
    const { id } = await this.subscribe('slow', ['contact.created'], { status: 'paused', max_per_second: 1 });
    for (const note of ['Held', 'Held, too']) await this.createContact(note);
    await pipeline.fanOut();
    await this.changeSubscription(id, { status: 'active' });
    await pipeline.deliverAll();
    await this.createContact('Waits for its slot');
    await pipeline.fanOut();
    await pipeline.deliverAll();
  }

  /** Records of all types are created and changed, with subscriptions to these events; some receivers fail. */
  private async recordsChange(): Promise<void> {
    const { clock, pipeline } = this.parts;
    clock.set('2026-03-08T09:00:00.000Z');
    await this.subscribe('whole', ['*']);
    await this.subscribe('thin', ['order.paid'], { payload: 'thin', max_per_second: 50 });
    await this.subscribe('later', ['contact.updated']);
    const { id: nobody } = await this.subscribe('nobody', ['order.paid', 'order.refunded'], { url: nowhere });
    const body = { url: `${nowhere}/paused`, event_types: ['order.paid'], payload: 'thin', status: 'paused' };
    await this.callOnce(createWebhookSubscription, { body });

    const { id: contactId } = await this.callOnce(createContact, { body: wholeContact });
    clock.pass(1000);
    const change = { note: 'Another note', address: { line2: null }, custom_fields: { text: 'Another' } };
    await this.call(updateContact, { params: { contactId }, body: change });
    await this.call(updateContact, { params: { contactId }, body: { external_id: 'CRM-2' } });
    await this.state('contacts', {
      ...wholeContact,
      external_id: 'CRM-3',
      updated_at: '2026-03-08T08:00:00Z',
    });
    // By the product's own id, as it merges with what clients write.
    await this.state('contacts', {
      ...wholeContact,
      external_id: 'CRM-9000',
      updated_at: '2026-03-08T08:00:01Z',
      source_id: 'row-1',
      known_version: 0,
      revision: 1,
      left_out: 'keep',
    });
    await this.othersChange(contactId);
    await pipeline.comeBack(this.result.inbox.slice(-2));
    await pipeline.fanOut();
    await pipeline.defer();
    await pipeline.deliverAll();
    clock.pass(10_000);
    await pipeline.deliverTogether(nobody);
    await this.blockIsFull();
  }

  /** The story has fewer changes than the thousand that fill a block. */
  private async blockIsFull(): Promise<void> {
    const head: Head = { ...headOf({ newest: { 'contact.created': 0 } }), count: blockSize - 1 };
    const page = [{ type: 'contact.updated' }] as Entry[];
    await transact(summarize(account, head, page, new Date()).actions);
  }

  /** Every resource but the contacts, which have changed already. */
  private async othersChange(contact_id: string): Promise<void> {
    for (const type of resourceTypes.filter((type) => type !== 'contact')) {
      const order_id = type === 'order' ? '' : await this.parts.pipeline.firstOrder();
      for (const record of (chapters[type] ?? changesOf(type))({ contact_id, order_id }))
        await this.state(resources[type].path, record);
    }
  }

  /** Secrets are rotated, and deliveries are sent again, cancelled and released. */
  private async subscriptionsChange(): Promise<void> {
    const { clock, pipeline } = this.parts;
    clock.pass(60_000);
    const rotated = await this.subscribe('rotated', ['contact.created']);
    const deleted = await this.subscribe('deleted', ['contact.created'], { status: 'paused' });
    const released = await this.subscribe('released', ['contact.created'], { status: 'paused' });
    await this.createContact('Fourth');
    await pipeline.fanOut();
    await pipeline.deliverAll();
    const params = { subscriptionId: rotated.id };
    await this.callOnce(rotateWebhookSecret, { params, body: { overlap_seconds: 86_400 } });
    await this.call(testWebhookSubscription, { params, body: { check_signatures: true } });
    const [deliveryId = ''] = await pipeline.deliveriesOf(rotated.id);
    await this.callOnce(redeliverWebhook, { params: { ...params, deliveryId } });

    await this.call(deleteWebhookSubscription, { params: { subscriptionId: deleted.id } });
    await pipeline.sweep();
    await pipeline.deliverAll();
    await this.callOnce(redeliverWebhook, { params: { ...params, deliveryId } });
    await pipeline.deliverAll();
    const everything = { since: '2026-03-01T00:00:00Z', status: 'all', event_types: ['contact.*'] };
    await this.callOnce(redeliverWebhooks, { params, body: everything });
    await pipeline.deliverAll();
    await this.changeSubscription(released.id, { status: 'active', url: 'http://localhost:9/elsewhere' });
    await changeByOperator('pause', account, rotated.id);
    await changeByOperator('resume', account, rotated.id);
    await countSlow(account, await readSubscription(account, rotated.id));
    const { id: stopped } = await this.subscribe('stopped', ['contact.created'], { status: 'paused' });
    for (const [change, blocked] of [
      ['block', true],
      ['unblock', false],
    ] as const) {
      await setBlocked('hooks.example.com', blocked);
      await changeByOperator(change, account, stopped);
    }
  }

  /** Deliveries are held while their account is suspended, and released when it is resumed. */
  private async accountIsSuspended(): Promise<void> {
    const { pipeline } = this.parts;
    await suspendAccount(account);
    await this.createContact('Suspended');
    await pipeline.fanOut();
    await pipeline.deliverAll();
    await resumeAccount(account);
    await pipeline.sweep();
    await pipeline.deliverAll();
  }

  /** A delivery is held for more than thirty days. */
  private async isHeldTooLong(): Promise<void> {
    const { clock, pipeline } = this.parts;
    const start = new Date().toISOString();
    clock.set('2026-02-04T09:00:00.000Z');
    await this.subscribe('never', ['contact.created'], { status: 'paused' });
    await this.createContact('Held too long');
    await pipeline.fanOut();
    clock.set(start);
    await pipeline.sweep();
    await pipeline.deliverAll();
  }

  /** A contact is erased: with an event whose receiver failed, and before the event of another change of it. */
  private async contactIsErased(): Promise<void> {
    const { clock, pipeline } = this.parts;
    const deadline = Date.now() + 10_000;
    await this.subscribe('fails-erased', ['contact.created', 'contact.updated']);
    const body = { ...wholeContact, external_id: 'CRM-9' };
    // Not among `kept`: its kept answer becomes another one.
    const headers = { 'Idempotency-Key': 'Erased' };
    const { id } = await this.call(createContact, { body, headers });
    await pipeline.fanOut();
    await pipeline.deliverAll();
    clock.pass(1000);
    await this.call(updateContact, { params: { contactId: id }, body: { note: 'Another' } });
    await this.call(updateContact, { params: { contactId: id }, body: { note: 'Erased' } });
    const { version } = await eraseRecord(contacts, account, id, deadline);
    await eraseEvents(account, { id, before: version }, deadline);
    await pipeline.fanOut();
    await pipeline.deliverAll();
  }

  /** The index is verified, and a mark that is lost is written again. */
  private async indexIsVerified(): Promise<void> {
    await this.parts.pipeline.indexLogs();
    await verifyIndex({} as ScheduledEvent, lambdaContext(60_000));
    const { data } = await listRecords(contacts, account, { limit: 1, offset: 0 });
    const Key = { pk: createdPartition(ref), sk: bucketOf('hour', data[0]?.created_at as string) };
    await dynamodb().send(new DeleteCommand({ TableName: required(env.indexTable), Key }));
    await repair(await differencesOf(ref, 0, await readCount(ref)));
  }

  /** Drafts are committed through the commit queue, and one creator gives up. */
  private async manyCreateAtOnce(): Promise<void> {
    const { clock, context } = this.parts;
    const contended = async (status: number, input: Request) => {
      noteContention(ref);
      const { statusCode, body } = await request(createContact, context, input);
      if (statusCode !== status) throw new Error(`createContact ${statusCode}: ${body}`);
    };
    const aTicket = () => newTicket(base32(aDraft().seed));
    // A bulk that has died waits in the queue: the first leader appoints it, and the second one removes it.
    await enqueue(ref, { ticket: aTicket(), deadline: Date.now() + waitsMs });
    // Another one died after a bulk had named it its successor.
    await nameSuccessor(ref, aTicket(), aTicket());
    const repeatable = {
      body: { email: 'together@example.com' },
      headers: { 'Idempotency-Key': 'Together' },
    };
    await contended(201, repeatable);
    // Its lease runs out.
    clock.pass(3000);
    await contended(201, repeatable);
    await contended(400, { body: { external_id: 'CRM-2' } });
    const givenUp = await createInGroup(contacts, account, aDraft(), Date.now()).catch(() => undefined);
    if (givenUp) throw new Error('A draft was committed after its deadline');
    // Waits until contention is no longer expected: before that, the next draft would also go through the queue.
    clock.pass(10_000);
  }

  /** Ends with an attempt under way, a delivery without an attempt, and a draft whose creator has died. */
  private async attemptIsUnderWay(during: () => Promise<void>): Promise<void> {
    const { pipeline, receiver } = this.parts;
    const { id } = await this.subscribe('under-way', ['contact.created']);
    await this.createContact('Fifth');
    await pipeline.fanOut();
    const draft = aDraft();
    await enqueue(ref, { ticket: newTicket(base32(draft.seed)), draft, deadline: Date.now() + waitsMs });
    const reply = receiver.reply;
    receiver.reply = async (received) => {
      if (received.path === 'under-way') await during();
      return reply(received);
    };
    const [delivery = ''] = await pipeline.deliveriesOf(id);
    await pipeline.deliver(id, delivery);
  }
}
