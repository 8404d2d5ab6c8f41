import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { ByKey } from './ByKey.tsx';
import { Delivered } from './Delivered.tsx';
import { useOutcomes } from './outcomes.ts';
import * as texts from './texts.ts';
import { reasonWords } from './words.ts';

/** The subscriptions as a table; on a phone as cards. */
export function SubscriptionTable({ all }: { all: readonly WebhookSubscription[] }) {
  const { of, again } = useOutcomes(all);
  // Without the names, the ids are shown.
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  return (
    <table class="cards">
      <caption class="unseen">{texts.title}</caption>
      <Head of={texts.columns} />
      <tbody>
        {all.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <a class="break" href={hrefOf('webhooks', one.id)}>
                {one.url}
              </a>
              {one.description && <small>{one.description}</small>}
              <small>
                {texts.created} <ByKey id={one.created_by_key_id} keys={keys} />
              </small>
            </th>
            <td data-label={texts.columns[1]}>
              <EventTypes of={one} />
            </td>
            <td data-label={texts.columns[2]}>
              <SubscriptionStatus of={one} />
            </td>
            <td data-label={texts.columns[3]}>
              <Health of={one} />
            </td>
            <td data-label={texts.columns[4]}>
              <Delivered outcomes={of(one.id)} again={again} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const EventTypes = ({ of }: { of: WebhookSubscription }) => (
  <span class="badges">
    {of.event_types.map((type) => (
      <span key={type} class="badge">
        {type === '*' ? texts.allEvents : type}
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
        <span class="badge bad">{texts.failures(failures)}</span>
        {last_failure_at && (
          <small>
            {texts.latest} <Time at={last_failure_at} />
          </small>
        )}
      </>
    );
  if (last_success_at === null)
    return <span class="quiet">{last_failure_at === null ? texts.nothingSent : texts.noSuccess}</span>;
  return (
    <>
      <span class="badge good">{texts.healthy}</span>
      <small>
        {texts.latest} <Time at={last_success_at} />
      </small>
    </>
  );
}
