import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import { counted } from '../../numbers.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Head } from '../../parts/Head.tsx';
import { useRevealed } from '../../parts/revealed.ts';
import { Time } from '../../parts/Time.tsx';
import { mayChange } from '../../sessionState.ts';
import { atMinute, exactly } from '../../times.ts';
import { deliveryWords, outcomeWords, shownStatus } from '../words.ts';
import { isEnded, type Redelivering } from './redelivering.ts';
import { SentBody } from './SentBody.tsx';
import { texts } from './texts.ts';

const tones = { pending: '', retrying: 'warn', succeeded: 'good', failed: 'bad', cancelled: '' };

interface Props {
  /** Of the subscription. */
  id: string;
  shown: readonly WebhookDelivery[];
  /** Ids of deliveries. */
  chosen: readonly string[];
  choose: (chosen: readonly string[]) => void;
  /** Undefined when nothing can be sent again. */
  redelivering: Redelivering | undefined;
  /** The id of the delivery whose attempts are shown. */
  opened: string;
  open: (delivery: string) => void;
}

/** Deliveries, a line for each, with the attempts of one below its line. On a phone they are cards. */
export const DeliveryTable = (props: Props) => (
  <table class="cards lines">
    <caption class="unseen">{texts.log.title}</caption>
    <Head of={texts.log.columns} hasActions={canRedeliver(props)} />
    <tbody>
      {props.shown.map((one) => (
        <Delivery key={one.id} of={one} {...props} />
      ))}
    </tbody>
  </table>
);

const canRedeliver = ({ redelivering }: Props): boolean => mayChange() && redelivering !== undefined;

function Delivery({ of, ...props }: Props & { of: WebhookDelivery }) {
  const { id, chosen, choose, redelivering, opened, open } = props;
  const isOpen = opened === of.id;
  const line = useRevealed(isOpen);
  const [, resource, status, attempts, when] = texts.log.columns;
  return (
    <>
      <tr ref={line}>
        <th scope="row">
          <span class="chosen">
            {canRedeliver(props) && (
              <input
                type="checkbox"
                aria-label={`${of.event_type} ${of.resource.id}`}
                disabled={!isEnded(of)}
                checked={chosen.includes(of.id)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...chosen, of.id] : chosen.filter((other) => other !== of.id))
                }
              />
            )}
            <button
              type="button"
              class="disclose"
              aria-expanded={isOpen}
              onClick={() => open(isOpen ? '' : of.id)}
            >
              {of.event_type}
            </button>
          </span>
        </th>
        <td data-label={resource}>
          <code class="break">{of.resource.id}</code>
        </td>
        <td data-label={status} class="brief">
          <span>
            <span class={`badge ${tones[shownStatus(of)]}`}>{shownStatus(of)}</span>{' '}
            <span class="quiet">
              {deliveryWords(of)}
              {of.next_attempt_at && (
                <>
                  {texts.log.again} <Time at={of.next_attempt_at} />
                </>
              )}
            </span>
          </span>
        </td>
        <td data-label={attempts} class="number">
          {counted(of.attempt_count)}
        </td>
        <td data-label={when}>
          <Time at={of.created_at} />
        </td>
        {canRedeliver(props) && (
          <td class="end">
            {isEnded(of) && <Redeliver of={of} redelivering={redelivering as Redelivering} />}
          </td>
        )}
      </tr>
      {isOpen && (
        <tr class="details">
          <td colSpan={6}>
            <dl>
              <dt>{texts.log.webhookId}</dt>
              <dd>
                <code class="break">{of.event_id}</code> <CopyButton text={of.event_id} />
              </dd>
              <dt>{texts.log.deliveryId}</dt>
              <dd>
                <code class="break">{of.id}</code> <CopyButton text={of.id} />
              </dd>
              <dt>{when}</dt>
              <dd>{exactly(of.created_at)}</dd>
              <dt>{attempts}</dt>
              <dd>
                <Attempts of={of} />
              </dd>
            </dl>
            <SentBody id={id} of={of} />
          </td>
        </tr>
      )}
    </>
  );
}

const Attempts = ({ of: { attempts, attempt_count } }: { of: WebhookDelivery }) =>
  attempt_count === 0 ? (
    <span class="quiet">{texts.log.noAttempt}</span>
  ) : (
    <ol class="attempts">
      {attempts.map((one) => (
        <li key={one.number} value={one.number}>
          {outcomeWords(one)} {texts.log.after(one.duration_ms)}, <Time at={one.started_at} how={atMinute} />
          {one.response_excerpt && <pre>{one.response_excerpt}</pre>}
        </li>
      ))}
    </ol>
  );

function Redeliver({ of, redelivering }: { of: WebhookDelivery; redelivering: Redelivering }) {
  const state = redelivering.stateOf(of);
  return (
    <>
      {state?.kind !== 'done' && (
        <button type="button" disabled={state?.kind === 'pending'} onClick={() => redelivering.send([of])}>
          {state?.kind === 'pending'
            ? texts.log.sending
            : state?.kind === 'open'
              ? texts.log.tryAgain
              : texts.log.redeliver}
          <span class="unseen"> {of.event_type}</span>
        </button>
      )}
      <span role="status" class={state?.kind === 'done' ? 'quiet' : 'problem'}>
        {state?.kind === 'done' && texts.log.sentAgain}
        {state?.kind === 'refused' && state.message}
        {state?.kind === 'open' && texts.log.noAnswer}
      </span>
    </>
  );
}
