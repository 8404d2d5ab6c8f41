import { useState } from 'preact/hooks';
import type {
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useLoading } from '../loading.ts';
import { Heading } from '../parts/Heading.tsx';
import { InReference } from '../parts/InReference.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { closeDialog, go, hrefOf, openDialog, route } from '../route.ts';
import { mayChange } from '../sessionState.ts';
import { useStore } from '../store.ts';
import { readSubscriptions } from './calls.ts';
import { WebhookSecret } from './otherDialogs.tsx';
import { CreateSubscription, createForm } from './SubscriptionForm.tsx';
import { SubscriptionTable } from './SubscriptionTable.tsx';
import * as texts from './texts.ts';

export function WebhooksTab() {
  const loading = useLoading(readSubscriptions, 'webhooks');
  return (
    <>
      <Heading title={texts.title} about={texts.about}>
        {mayChange() && loading.data?.length !== 0 && <CreateButton />}
      </Heading>
      <Loaded loading={loading} what={texts.reading}>
        {(subscriptions) => <Subscriptions all={subscriptions} again={loading.again} />}
      </Loaded>
    </>
  );
}

const CreateButton = () => (
  <button type="button" class="primary" onClick={() => openDialog(createForm)}>
    {texts.create}
  </button>
);

function Subscriptions({ all, again }: { all: WebhookSubscription[]; again: () => void }) {
  const { query } = useStore(route);
  const [made, setMade] = useState<SubscriptionWithSecret>();
  const close = (changed: boolean) => {
    closeDialog();
    if (changed) again();
  };
  const done = (created: SubscriptionWithSecret) => {
    setMade(created);
    closeDialog();
  };
  return (
    <>
      {all.length === 0 ? (
        <div class="empty">
          <h2>{texts.none}</h2>
          <p>
            {texts.noneAbout} {mayChange() ? texts.noneCreate : texts.noneViewer}{' '}
            <InReference page="webhooks.html">{texts.guide}</InReference>
          </p>
          {mayChange() && <CreateButton />}
        </div>
      ) : (
        <SubscriptionTable all={all} />
      )}
      {query.dialog === createForm && mayChange() && <CreateSubscription done={done} close={close} />}
      {made && <WebhookSecret secret={made.secret} close={() => go(hrefOf('webhooks', made.id))} />}
    </>
  );
}
