import { describe, expect, test } from 'vitest';
import { getWebhookDelivery, listWebhookDeliveries } from '../../../lib/contract/webhookDeliveries.ts';
import { write } from '../../../lib/dynamodb/transact.ts';
import { hideEvents } from '../../../lib/records/deletion/redaction.ts';
import type { Scope } from '../../../lib/resources/index.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';
import {
  aContact,
  givenAccount,
  givenContacts,
  givenDeliveries,
  givenKey,
  givenSubscription,
  inAnHour,
} from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { answer, aReceiver, endsAfter, partsOf } from '../../support/http/receivers.ts';

const account = givenAccount();

/** The body of a delivery, as a key with these scopes sees it. */
async function bodyFor(
  params: { subscriptionId: string; deliveryId: string },
  scopes?: Scope[],
): Promise<string | null> {
  const { text: key } = await givenKey(account, scopes);
  const { status, body } = await call(getWebhookDelivery, { key, params });
  expect(status).toBe(200);
  return body.body;
}

/** A contact whose event was sent. @returns its id, the text that the receiver got, and the delivery */
async function givenSent(payload: 'full' | 'thin') {
  const receiver = await aReceiver(endsAfter(answer('200 OK')));
  const { id: subscriptionId } = await givenSubscription(account, {
    url: `http://127.0.0.1:${receiver.port}/${payload}`,
    payload,
    event_types: ['contact.*'],
  });
  const [contact] = await givenContacts(account, [aContact({ first_name: 'Ada' })]);
  const { text: key } = await givenKey(account);
  const query = { resource_id: contact?.id as string, status: 'succeeded' };
  const log = () => call(listWebhookDeliveries, { key, params: { subscriptionId }, query });
  await expect.poll(async () => (await log()).body.pagination.total).toBeGreaterThan(0);
  const [delivery] = (await log()).body.data;
  return {
    contact: contact?.id as string,
    sent: partsOf(receiver.requests[0] as string).body,
    params: { subscriptionId, deliveryId: delivery?.id as string },
  };
}

describe('the body', () => {
  test('of a full payload is what the receiver got, for keys that may read it', async () => {
    const { params, sent } = await givenSent('full');
    expect(sent).toContain('Ada');
    expect(await bodyFor(params)).toBe(sent);
    expect(await bodyFor(params, ['webhooks:manage', 'contacts:read'])).toBe(sent);
    expect(await bodyFor(params, ['webhooks:manage', 'orders:read'])).toBeNull();
  });

  test('of a thin payload is for every key that manages webhooks', async () => {
    const { params, sent, contact } = await givenSent('thin');
    expect(JSON.parse(sent).data).toEqual({ id: contact });
    expect(await bodyFor(params, ['webhooks:manage'])).toBe(sent);
  });

  test('has no content from the moment its record is deleted, although the event is stored with it', async () => {
    const { params, sent, contact } = await givenSent('full');
    await write(hideEvents(account, contact, 1));
    const left = await bodyFor(params);
    expect(left).not.toContain('Ada');
    const { id, resource } = JSON.parse(sent);
    expect(JSON.parse(left as string)).toMatchObject({ id, resource, previous: {}, data: { id: contact } });
  });

  test('before the first attempt is the text that will be sent, and none when nothing will be', async () => {
    const [full, thin] = [
      await givenSubscription(account, { status: 'paused' }),
      await givenSubscription(account, { status: 'paused', payload: 'thin' }),
    ];
    const paramsOf = async ({ id }: { id: string }) => {
      const [delivery] = await givenDeliveries(account, { id });
      return { subscriptionId: id, deliveryId: delivery?.id as string };
    };
    const [ofFull, ofThin] = [await paramsOf(full), await paramsOf(thin)];
    const dataOf = async (params: typeof ofFull) => JSON.parse((await bodyFor(params)) as string).data;
    expect(await dataOf(ofFull)).toBe('whole');
    expect(await dataOf(ofThin)).toEqual({ id: expect.stringMatching(/^con_/) });
    expect(await bodyFor(ofFull, ['webhooks:manage'])).toBeNull();
    await deleteSubscription(account, full.id, inAnHour());
    expect(await bodyFor(ofFull)).toBeNull();
  });
});
