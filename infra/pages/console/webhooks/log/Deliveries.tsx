import { deliveryStatuses } from '../../../../../lib/contract/attempts.ts';
import { eventTypes } from '../../../../../lib/contract/eventTypes.ts';
import { openDialog } from '../../addressHistory.ts';
import { readShown } from '../../loading.ts';
import { Empty } from '../../parts/Empty.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { OlderButton } from '../../parts/OlderButton.tsx';
import { Elsewhere } from '../../parts/openLine.tsx';
import { RefreshButton } from '../../parts/RefreshButton.tsx';
import { usePages } from '../../parts/usePages.ts';
import { hrefOf } from '../../route.ts';
import { mayChange } from '../../sessionState.ts';
import { useChosen } from '../../useChosen.ts';
import {
  anyDelivery,
  type ConsoleSubscription,
  type DeliveryFilter,
  type Deliveries as Listed,
  readDeliveries,
  readDelivery,
} from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';
import { DeliveryFilters, isAny } from './DeliveryFilters.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { formOf, RedeliverMany } from './RedeliverMany.tsx';
import { type Redelivering, useRedelivering } from './redelivering.ts';

interface Props {
  id: string;
  /** Undefined when it was deleted. */
  subscription?: ConsoleSubscription;
}

/** The deliveries of a subscription, newest first. */
export function Deliveries({ id, subscription }: Props) {
  const [filter, change] = useChosen<DeliveryFilter>(anyDelivery, {
    status: ['', ...deliveryStatuses],
    event: ['', ...eventTypes],
    hours: ['', '1', '24', '168'],
  });
  const name = `deliveries ${id} ${JSON.stringify(filter)}`;
  const loading = usePages<Listed>((known) => readDeliveries(id, filter, known), name);
  const redelivering = useRedelivering({ id, subscription });
  return (
    <section>
      <div class="heading">
        <h2>{texts.logTitle}</h2>
        <div class="actions">
          {mayChange() && subscription && (
            <button
              type="button"
              aria-disabled={subscription.deliveries.redelivery !== null}
              onClick={() => {
                if (subscription.deliveries.redelivery === null) openDialog(formOf(id));
              }}
            >
              {texts.manyBegin}
            </button>
          )}
          <RefreshButton isReading={loading.isReading} again={readShown} />
        </div>
      </div>
      {subscription && <RedeliverMany of={subscription} filter={filter} />}
      <DeliveryFilters filter={filter} change={change} total={loading.data?.total} />
      <Loaded loading={loading} what={texts.logReading}>
        {(listed) => (
          <List
            key={name}
            id={id}
            filter={filter}
            listed={listed}
            older={loading.older}
            redelivering={redelivering}
          />
        )}
      </Loaded>
    </section>
  );
}

interface ListProps {
  id: string;
  filter: DeliveryFilter;
  listed: Listed;
  older: () => Promise<void>;
  redelivering: Redelivering;
}

function List({ id, filter, listed, older, redelivering }: ListProps) {
  const { data: all, next } = listed;
  if (all.length === 0)
    return isAny(filter) ? (
      <Empty about={texts.logNone} guide={['webhooks.html', texts.guide]} />
    ) : (
      <Empty about={texts.logNoneFiltered} all={hrefOf('webhooks', id)} />
    );
  return (
    <>
      <Elsewhere
        listed={all.map((one) => one.id)}
        what={texts.logReadingOne}
        read={(delivery) => readDelivery(id, delivery)}
      >
        {(found) => <DeliveryTable id={id} shown={[found]} redelivering={redelivering} />}
      </Elsewhere>
      <DeliveryTable id={id} shown={all} redelivering={redelivering} />
      {next !== undefined && <OlderButton read={older} />}
    </>
  );
}
