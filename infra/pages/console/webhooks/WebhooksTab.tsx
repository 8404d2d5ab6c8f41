import type { SubscriptionWithSecret } from '../../../../lib/contract/webhookSubscriptions.ts';
import { go, openDialog } from '../addressHistory.ts';
import { useLoading } from '../loading.ts';
import { useDialog } from '../parts/dialog/useDialog.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { hrefOf, route } from '../route.ts';
import { mayChange } from '../sessionState.ts';
import { useStore } from '../store.ts';
import { FoundDeliveries } from './FoundDeliveries.tsx';
import { WebhookSecret } from './otherDialogs.tsx';
import { CreateSubscription, createForm } from './SubscriptionForm.tsx';
import { SubscriptionTable } from './SubscriptionTable.tsx';
import { type ConsoleSubscription, readSubscriptions } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';

export function WebhooksTab() {
  const { find } = useStore(route).query;
  return find === undefined ? <SubscriptionList /> : <FoundDeliveries key={find} id={find} />;
}

function SubscriptionList() {
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

function Subscriptions({ all, again }: { all: ConsoleSubscription[]; again: () => void }) {
  const { name, secret: made, show, close } = useDialog<SubscriptionWithSecret>();
  const closed = (changed: boolean) => {
    close();
    if (changed) again();
  };
  return (
    <>
      {all.length === 0 ? (
        <Empty
          title={texts.none}
          about={
            <>
              {texts.noneAbout} {mayChange() ? texts.noneCreate : texts.noneViewer}
            </>
          }
          guide={['webhooks.html', texts.guide]}
        >
          {mayChange() && <CreateButton />}
        </Empty>
      ) : (
        <SubscriptionTable all={all} />
      )}
      {name === createForm && <CreateSubscription done={show} close={closed} />}
      {made && <WebhookSecret secret={made.secret} close={() => go(hrefOf('webhooks', made.id))} />}
    </>
  );
}
