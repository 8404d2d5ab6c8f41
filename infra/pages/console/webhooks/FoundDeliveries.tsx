import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import { readShown, useLoading } from '../loading.ts';
import { Empty } from '../parts/Empty.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { RefreshButton } from '../parts/RefreshButton.tsx';
import { hrefOf } from '../route.ts';
import { DeliveryTable } from './log/DeliveryTable.tsx';
import { type Log, useRedelivering } from './log/redelivering.ts';
import { findDeliveries, readSubscriptions } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';

/** The deliveries that an id names, for each subscription. */
export function FoundDeliveries({ id }: { id: string }) {
  const loading = useLoading(() => findDeliveries(id), `deliveries of ${id}`);
  const { data: subscriptions = [] } = useLoading(readSubscriptions, 'webhooks');
  return (
    <>
      <p class="back">
        <a href={hrefOf('webhooks')}>{texts.back}</a>
      </p>
      <Heading title={texts.foundTitle(id)} about={<code class="break">{id}</code>}>
        <RefreshButton isReading={loading.isReading} again={readShown} />
      </Heading>
      <Loaded loading={loading} what={texts.logReading}>
        {({ data, has_more }) => (
          <>
            {data.length === 0 && <Empty about={texts.foundNone} />}
            {[...new Set(data.map((one) => one.subscription_id))].map((of) => (
              <OfSubscription
                key={of}
                id={of}
                subscription={subscriptions.find((one) => one.id === of)}
                shown={data.filter((one) => one.subscription_id === of)}
              />
            ))}
            {has_more && <p class="note">{texts.foundMore}</p>}
          </>
        )}
      </Loaded>
    </>
  );
}

interface Props extends Log {
  shown: WebhookDelivery[];
}

function OfSubscription({ id, subscription, shown }: Props) {
  return (
    <section>
      <h2>
        <a class="break" href={hrefOf('webhooks', id)}>
          {subscription?.description ?? subscription?.url ?? id}
        </a>
      </h2>
      <DeliveryTable id={id} shown={shown} redelivering={useRedelivering({ id, subscription })} />
    </section>
  );
}
