import { useState } from 'preact/hooks';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { draftOf } from '../drafts.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { mayChange } from '../sessionState.ts';
import { readSubscriptions } from './calls.ts';
import { WebhookSecret } from './otherDialogs.tsx';
import { CreateSubscription, createForm } from './SubscriptionForm.tsx';
import { SubscriptionTable } from './SubscriptionTable.tsx';

const about = 'Your programs are told of changes as they happen.';

export function WebhooksTab() {
  const loading = useLoading(readSubscriptions, 'webhooks');
  return (
    <>
      {loading.data === undefined && <Heading title="Webhooks" about={about} />}
      <Loaded loading={loading} what="webhook subscriptions">
        {(subscriptions) => <Subscriptions all={subscriptions} again={loading.again} />}
      </Loaded>
    </>
  );
}

function Subscriptions({ all, again }: { all: WebhookSubscription[]; again: () => void }) {
  const [isCreating, setCreating] = useState(() => mayChange() && draftOf(createForm) !== undefined);
  const [secret, setSecret] = useState<string>();
  const create = mayChange() && (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      Create subscription
    </button>
  );
  const close = (changed: boolean) => {
    setCreating(false);
    if (changed) again();
  };
  return (
    <>
      <Heading title="Webhooks" about={about}>
        {all.length > 0 && create}
      </Heading>
      {all.length === 0 ? (
        <div class="empty">
          <h2>No webhook subscriptions yet</h2>
          <p>
            A subscription sends events, such as a new order, to a URL of yours.{' '}
            {create ? 'Create one with the events that you need.' : 'An administrator can create one.'}
          </p>
          {create}
        </div>
      ) : (
        <SubscriptionTable all={all} />
      )}
      {isCreating && secret === undefined && (
        <CreateSubscription done={(created) => setSecret(created.secret)} close={close} />
      )}
      {secret !== undefined && (
        <WebhookSecret
          secret={secret}
          close={() => {
            setSecret(undefined);
            close(true);
          }}
        />
      )}
    </>
  );
}
