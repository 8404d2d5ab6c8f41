import { useEffect, useState } from 'preact/hooks';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { ByKey } from './ByKey.tsx';
import { readDeliveries } from './calls.ts';
import { reasonWords, successRate } from './words.ts';

/** The subscriptions as a table; on a phone as cards. */
export function SubscriptionTable({ all }: { all: readonly WebhookSubscription[] }) {
  const rates = useRates(all);
  // Without the names, the ids are shown.
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  return (
    <table class="cards">
      <caption class="unseen">Webhook subscriptions</caption>
      <Head of={['URL', 'Events', 'Status', 'Health', 'Delivered']} />
      <tbody>
        {all.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <a class="break" href={hrefOf('webhooks', one.id)}>
                {one.url}
              </a>
              {one.description && <small>{one.description}</small>}
              <small>
                created <ByKey id={one.created_by_key_id} keys={keys} />
              </small>
            </th>
            <td data-label="Events">
              <EventTypes of={one} />
            </td>
            <td data-label="Status">
              <SubscriptionStatus of={one} />
            </td>
            <td data-label="Health">
              <Health of={one} />
            </td>
            <td data-label="Delivered">{rates[one.id] ?? <span class="quiet">Nothing yet</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The success rates of the latest deliveries, read one after the other: together they would be a burst of requests. */
function useRates(all: readonly WebhookSubscription[]): Record<string, string> {
  const [rates, show] = useState<Record<string, string>>({});
  useEffect(() => {
    let isShown = true;
    const read = async () => {
      for (const { id } of all) {
        const rate = isShown && successRate((await readDeliveries(id)).data);
        if (rate) show((before) => ({ ...before, [id]: rate }));
      }
    };
    // The table is of use without them.
    read().catch(() => {});
    return () => {
      isShown = false;
    };
  }, [all]);
  return rates;
}

export const EventTypes = ({ of }: { of: WebhookSubscription }) => (
  <span class="badges">
    {of.event_types.map((type) => (
      <span key={type} class="badge">
        {type === '*' ? 'all events' : type}
      </span>
    ))}
  </span>
);

const tones = { active: 'good', paused: '', suspended: 'bad', disabled: 'bad' };

export const SubscriptionStatus = ({ of }: { of: WebhookSubscription }) => (
  <>
    <span class={`badge ${tones[of.status]}`}>{of.status}</span>
    {of.status_reason && <small>{reasonWords(of)}</small>}
  </>
);

export function Health({ of: { health } }: { of: WebhookSubscription }) {
  const { consecutive_failures: failures, last_success_at, last_failure_at } = health;
  if (failures > 0)
    return (
      <>
        <span class="badge bad">
          {failures} {failures === 1 ? 'failure' : 'failures in a row'}
        </span>
        {last_failure_at && (
          <small>
            latest <Time at={last_failure_at} />
          </small>
        )}
      </>
    );
  if (last_success_at === null) return <span class="quiet">Nothing sent yet</span>;
  return (
    <>
      <span class="badge good">healthy</span>
      <small>
        latest <Time at={last_success_at} />
      </small>
    </>
  );
}
