import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import { Head } from '../parts/Head.tsx';
import { Time } from '../parts/Time.tsx';
import { mayChange } from '../sessionState.ts';
import { atMinute } from '../times.ts';
import { isEnded, type Redelivering } from './redelivering.ts';
import { SentBody } from './SentBody.tsx';
import { deliveryWords, outcomeWords } from './words.ts';

const tones = { pending: 'warn', succeeded: 'good', failed: 'bad', cancelled: '' };

interface Props {
  id: string;
  shown: readonly WebhookDelivery[];
  /** Ids of deliveries. */
  chosen: readonly string[];
  choose: (chosen: readonly string[]) => void;
  redelivering: Redelivering;
}

/** Deliveries as a table; on a phone as cards. */
export const DeliveryTable = ({ id, shown, chosen, choose, redelivering }: Props) => (
  <table class="cards">
    <caption class="unseen">Deliveries</caption>
    <Head of={['Event', 'Status', 'Attempts', 'When']} hasActions={mayChange()} />
    <tbody>
      {shown.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            {mayChange() && isEnded(one) ? (
              <label class="choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(one.id)}
                  onChange={({ currentTarget: { checked } }) =>
                    choose(checked ? [...chosen, one.id] : chosen.filter((other) => other !== one.id))
                  }
                />
                <Event of={one} />
              </label>
            ) : (
              <Event of={one} />
            )}
          </th>
          <td data-label="Status">
            <span class={`badge ${tones[one.status]}`}>{one.status}</span>
            {deliveryWords(one) && <small>{deliveryWords(one)}</small>}
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
            <td class="end">{isEnded(one) && <Redeliver of={one} redelivering={redelivering} />}</td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

const Event = ({ of }: { of: WebhookDelivery }) => (
  <span>
    {of.event_type}
    <small>
      <code>{of.resource.id}</code>
    </small>
  </span>
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

function Redeliver({ of, redelivering }: { of: WebhookDelivery; redelivering: Redelivering }) {
  const state = redelivering.stateOf(of);
  return (
    <>
      {state?.kind !== 'done' && (
        <button type="button" disabled={state?.kind === 'pending'} onClick={() => redelivering.send([of])}>
          {state?.kind === 'pending' ? 'Sending…' : state?.kind === 'open' ? 'Try again' : 'Redeliver'}
          <span class="unseen"> {of.event_type}</span>
        </button>
      )}
      <span role="status" class={state?.kind === 'done' ? 'quiet' : 'problem'}>
        {state?.kind === 'done' && 'Sent again'}
        {state?.kind === 'refused' && state.message}
        {state?.kind === 'open' && 'No answer came. It is sent again once, however often you try.'}
      </span>
    </>
  );
}
