import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import { useLoading } from '../loading.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { mayChange } from '../sessionState.ts';
import { anyDelivery, type DeliveryFilter, readDeliveries } from './calls.ts';
import { DeliveryFilters, isAny } from './DeliveryFilters.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { isEnded, type Redelivering, useRedelivering } from './redelivering.ts';
import { RedeliverMany } from './redelivery/RedeliverMany.tsx';
import { successRate } from './words.ts';

/** The deliveries of a subscription, newest first. */
export function Deliveries({ id }: { id: string }) {
  const [filter, setFilter] = useState(anyDelivery);
  const loading = useLoading(() => readDeliveries(id, filter), `${id} ${JSON.stringify(filter)}`);
  const redelivering = useRedelivering(id);
  return (
    <section>
      <div class="heading">
        <h2>Deliveries</h2>
        <button type="button" onClick={loading.again} disabled={loading.isReading}>
          Read again
        </button>
      </div>
      {mayChange() && <RedeliverMany id={id} again={loading.again} />}
      <DeliveryFilters filter={filter} change={setFilter} />
      <Loaded loading={loading} what="deliveries">
        {(first) => (
          <Pages
            key={JSON.stringify(first)}
            id={id}
            filter={filter}
            first={first}
            redelivering={redelivering}
          />
        )}
      </Loaded>
    </section>
  );
}

interface PagesProps {
  id: string;
  filter: DeliveryFilter;
  first: Awaited<ReturnType<typeof readDeliveries>>;
  redelivering: Redelivering;
}

function Pages({ id, filter, first, redelivering }: PagesProps) {
  const [all, show] = useState(first.data);
  const [chosen, choose] = useState<readonly string[]>([]);
  const rate = filter.status === '' && successRate(all);
  const older = async () => {
    const { data } = await readDeliveries(id, filter, all.length);
    // Newer ones have moved the page.
    show([...all, ...data.filter((one) => !all.some((known) => known.id === one.id))]);
  };
  if (all.length === 0)
    return (
      <p class="empty">
        {isAny(filter)
          ? 'Nothing was sent yet. The next change that fits its events is delivered within seconds.'
          : 'No delivery of the last 35 days is like this.'}
      </p>
    );
  return (
    <>
      <p class="quiet">
        {first.pagination.total === 1 ? '1 delivery' : `${first.pagination.total} deliveries`}
        {rate && `, delivered: ${rate}`}
      </p>
      {mayChange() && <Chosen all={all} chosen={chosen} choose={choose} redelivering={redelivering} />}
      <DeliveryTable id={id} shown={all} chosen={chosen} choose={choose} redelivering={redelivering} />
      {all.length < first.pagination.total && <OlderButton read={older} />}
    </>
  );
}

interface ChosenProps {
  all: readonly WebhookDelivery[];
  /** Ids of deliveries. */
  chosen: readonly string[];
  choose: (chosen: readonly string[]) => void;
  redelivering: Redelivering;
}

/** What is done with several deliveries at once. */
function Chosen({ all, chosen, choose, redelivering: { send, isBusy } }: ChosenProps) {
  const ended = all.filter(isEnded);
  const hasAll = ended.length > 0 && ended.every(({ id }) => chosen.includes(id));
  const clicked = () => {
    send(ended.filter(({ id }) => chosen.includes(id)));
    choose([]);
  };
  return (
    <div class="filters">
      <label class="choice">
        <input
          type="checkbox"
          checked={hasAll}
          disabled={ended.length === 0}
          onChange={() => choose(hasAll ? [] : ended.map(({ id }) => id))}
        />
        Choose all that have ended
      </label>
      <button type="button" disabled={isBusy || chosen.length === 0} onClick={clicked}>
        {isBusy ? 'Sending…' : `Redeliver ${chosen.length} chosen`}
      </button>
    </div>
  );
}
