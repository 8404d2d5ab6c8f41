import { subscriptionDraft } from '../../../lib/contract/webhookSubscriptions.ts';
import { env } from '../../../lib/env.ts';
import { ApiError } from '../../../lib/errors/apiError.ts';
import { inAccount } from '../../../lib/records/keys.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { byProduct } from '../../../lib/records/origin.ts';
import { updateRecord } from '../../../lib/records/update.ts';
import { patched } from '../../../lib/resources/contactPatch.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { createSubscription } from '../../../lib/webhooks/subscriptions/createSubscription.ts';

/** How long conflicts with other changes are retried. */
const limitMs = 10_000;

/**
 * Creates a paused webhook subscription, and changes a contact, of which a delivery is held for it. An existing subscription is not
 * changed, because people may have edited it.
 */
export async function seedWebhooks(account: string): Promise<void> {
  process.env[env.allowLoopbackReceivers] = '1';
  const deadline = Date.now() + limitMs;
  const draft = subscriptionDraft().parse({
    // The receiver of the guide to webhooks listens on this port.
    url: 'http://127.0.0.1:4000/demo',
    event_types: ['contact.updated'],
    description: 'Waits for a receiver on this machine',
    status: 'paused',
  });
  try {
    await createSubscription(account, draft, { by: fromConsole, deadline, once: undefined });
  } catch (error) {
    if (error instanceof ApiError) return;
    throw error;
  }
  const { data } = await listRecords(inAccount(contacts, account), { limit: 1, offset: 1 });
  for (const { id } of data)
    await updateRecord(
      inAccount(contacts, account),
      id,
      ({ record }) => ({ content: patched(record, { note: 'Prefers e-mail' }) }),
      { deadline, origin: byProduct },
    );
}
