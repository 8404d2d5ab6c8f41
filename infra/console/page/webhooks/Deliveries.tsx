import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import { useLoading } from '../loading.ts';
import { Head } from '../parts/Head.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { OlderButton } from '../parts/OlderButton.tsx';
import { Time } from '../parts/Time.tsx';
import { toast } from '../parts/Toasts.tsx';
import { useSending } from '../sending.ts';
import { mayChange } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import { anyDelivery, type DeliveryFilter, readDeliveries, redeliver } from './calls.ts';
import { DeliveryFilters, isAny } from './DeliveryFilters.tsx';
import { SentBody } from './SentBody.tsx';
import { outcomeWords, successRate } from './words.ts';

/** The deliveries of a subscription, newest first. */
export function Deliveries({ id }: { id: string }) {
  const [filter, setFilter] = useState(anyDelivery);
  const loading = useLoading(() => readDeliveries(id, filter), `${id} ${JSON.stringify(filter)}`);
  return (
    <section>
      <div class="heading">
        <h2>Deliveries</h2>
        <button type="button" onClick={loading.again} disabled={loading.isReading}>
          Read again
        </button>
      </div>
      <DeliveryFilters filter={filter} change={setFilter} />
      <Loaded loading={loading} what="deliveries">
        {(first) => <Pages key={JSON.stringify(first)} id={id} filter={filter} first={first} />}
      </Loaded>
    </section>
  );
}

interface PagesProps {
  id: string;
  filter: DeliveryFilter;
  first: Awaited<ReturnType<typeof readDeliveries>>;
}

function Pages({ id, filter, first }: PagesProps) {
  const [all, show] = useState(first.data);
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
          : 'No delivery of the last 30 days is like this.'}
      </p>
    );
  return (
    <>
      <p class="quiet">
        {first.pagination.total === 1 ? '1 delivery' : `${first.pagination.total} deliveries`}
        {rate && `, delivered: ${rate}`}
      </p>
      <Table id={id} shown={all} />
      {all.length < first.pagination.total && <OlderButton read={older} />}
    </>
  );
}

const tones = { pending: 'warn', succeeded: 'good', failed: 'bad', cancelled: '' };

const Table = ({ id, shown }: { id: string; shown: readonly WebhookDelivery[] }) => (
  <table class="cards">
    <caption class="unseen">Deliveries</caption>
    <Head of={['Event', 'Status', 'Attempts', 'When']} hasActions={mayChange()} />
    <tbody>
      {shown.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            {one.event_type}
            <small>
              <code>{one.resource.id}</code>
            </small>
          </th>
          <td data-label="Status">
            <span class={`badge ${tones[one.status]}`}>{one.status}</span>
            {one.next_attempt_at && (
              <small>
                again <Time at={one.next_attempt_at} />
              </small>
            )}
          </td>
          <td data-label="Attempts">
            <Attempts of={one} />
            <SentBody id={id} of={one} />
          </td>
          <td data-label="When">
            <Time at={one.created_at} />
          </td>
          {mayChange() && (
            <td class="end">
              {['succeeded', 'failed'].includes(one.status) && <Redeliver id={id} of={one} />}
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const Attempts = ({ of: { attempts, attempt_count } }: { of: WebhookDelivery }) =>
  attempt_count === 0 ? (
    <span class="quiet">None yet</span>
  ) : (
    <details>
      <summary>{attempt_count === 1 ? '1 attempt' : `${attempt_count} attempts`}</summary>
      <ol class="attempts">
        {attempts.map((one) => (
          <li key={one.number} value={one.number}>
            {outcomeWords(one)} after {one.duration_ms} ms, <Time at={one.started_at} how={atMinute} />
            {one.response_excerpt && <pre>{one.response_excerpt}</pre>}
          </li>
        ))}
      </ol>
    </details>
  );

function Redeliver({ id, of }: { id: string; of: WebhookDelivery }) {
  const { progress, send } = useSending(
    `redeliver ${of.id}`,
    (_: null, once) => redeliver(id, of.id, once),
    () => toast('It is sent again in a moment. Read the deliveries again to see the answer.'),
  );
  return (
    <>
      <button type="button" disabled={progress.kind === 'pending'} onClick={() => send(null)}>
        {progress.kind === 'pending' ? 'Sending…' : progress.kind === 'open' ? 'Try again' : 'Redeliver'}
        <span class="unseen"> {of.event_type}</span>
      </button>
      <span role="status" class="problem">
        {progress.kind === 'refused' && progress.problem.message}
        {progress.kind === 'open' && 'No answer came. It is sent again once, however often you try.'}
      </span>
    </>
  );
}
