import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { Head } from '../parts/Head.tsx';
import { InReference } from '../parts/InReference.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { ByKey } from './ByKey.tsx';
import * as texts from './texts.ts';
import { healthOf, reasonWords } from './words.ts';

/** The subscriptions as a table; on a phone as cards. */
export function SubscriptionTable({ all }: { all: readonly WebhookSubscription[] }) {
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
                <Sentence of={texts.created} by={<ByKey id={one.created_by_key_id} keys={keys} />} />
              </small>
            </th>
            <td data-label={texts.columns[1]}>
              <EventTypes of={one} />
            </td>
            <td data-label={texts.columns[2]}>
              <SubscriptionStatus of={one} />
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
      <InReference key={type} page={type.includes('*') ? 'events.html' : `events.html#${type}`}>
        {type === '*' ? texts.allEvents : type}
      </InReference>
    ))}
  </span>
);

/** The badge of a subscription, with the time of the last delivery or of the next try. Usual states are quiet. */
export function SubscriptionStatus({ of }: { of: WebhookSubscription }) {
  const { words, tone } = healthOf(of);
  const { last_success_at, last_failure_at, state } = of.health;
  const isHealthy = state === 'healthy';
  const latest = isHealthy ? last_success_at : last_failure_at;
  return (
    <>
      <span class={tone || of.status !== 'active' ? `badge ${tone}` : 'quiet'}>{words}</span>
      {of.status_reason && <small>{reasonWords(of)}</small>}
      {latest && (
        <small>
          <Sentence of={isHealthy ? texts.health.latest : texts.health.failed} time={<Time at={latest} />} />
        </small>
      )}
      {of.next_probe_at && (
        <small>
          <Sentence of={texts.health.tried} time={<Time at={of.next_probe_at} />} />
        </small>
      )}
    </>
  );
}
