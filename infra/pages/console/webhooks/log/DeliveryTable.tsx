import type { WebhookDelivery } from '../../../../../lib/contract/webhookDeliveries.ts';
import { counted } from '../../locale.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { InReference } from '../../parts/InReference.tsx';
import { useOpened } from '../../parts/openLine.tsx';
import { Sentence } from '../../parts/Sentence.tsx';
import { Cell, nameOfColumn, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { hrefOf } from '../../route.ts';
import { atMinute, exactly } from '../../shownTimes.ts';
import * as texts from '../webhookTexts.ts';
import { alike, deliveryWords, inBrief, outcomeWords, shownStatus } from '../webhookWords.ts';
import type { Redelivering } from './redelivering.ts';
import { SentBody } from './SentBody.tsx';

const tones = { pending: '', retrying: 'warn', succeeded: 'good', failed: 'bad', cancelled: '' };

interface Props {
  /** The subscription's id. */
  id: string;
  shown: readonly WebhookDelivery[];
  redelivering: Redelivering;
}

/** Deliveries, a line for each, with the attempts of one below its line. On a phone they are cards. */
export const DeliveryTable = (props: Props) => (
  <Table
    class="cards lines"
    caption={texts.logTitle}
    columns={texts.logColumns}
    hasActions={hasActions(props)}
  >
    {props.shown.map((one) => (
      <Delivery key={one.id} of={one} {...props} />
    ))}
  </Table>
);

const hasActions = ({ shown, redelivering }: Props): boolean => shown.some(redelivering.canSend);

function Delivery({ of, ...props }: Props & { of: WebhookDelivery }) {
  const { id, redelivering } = props;
  const { isOpen, line, toggle } = useOpened(of.id);
  const [, resource, status, attempts, when] = texts.logColumns;
  return (
    <>
      <tr ref={line}>
        <th scope="row">
          <button type="button" class="disclose" aria-expanded={isOpen} onClick={toggle}>
            {of.event_type}
          </button>
        </th>
        <Cell of={resource} class="bare">
          <code class="break">{of.resource.id}</code>
        </Cell>
        <Cell of={status} class="brief bare">
          <Status of={of} />
        </Cell>
        <Cell of={attempts} class="usual">
          {counted(of.attempt_count)}
        </Cell>
        <Cell of={when} class="bare">
          <Time at={of.created_at} />
        </Cell>
        {hasActions(props) && (
          <td class="end">{redelivering.canSend(of) && <Redeliver of={of} redelivering={redelivering} />}</td>
        )}
      </tr>
      {isOpen && (
        <tr class="details">
          <td colSpan={6}>
            <dl>
              <dt>{texts.logEvent}</dt>
              <dd>
                <InReference page={`events.html#${of.event_type}`}>{of.event_type}</InReference>
              </dd>
              <dt>{texts.logEventId}</dt>
              <dd>
                <a class="break" href={hrefOf('webhooks', undefined, { find: of.event_id })}>
                  <code class="break">{of.event_id}</code>
                </a>
              </dd>
              <dt>{texts.logDeliveryId}</dt>
              <dd>
                <code class="break">{of.id}</code> <CopyButton text={of.id} />
              </dd>
              <dt>{when}</dt>
              <dd>{exactly(of.created_at)}</dd>
              <dt>{nameOfColumn(attempts)}</dt>
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

/** The status of a delivery, with its last attempt and its next one. */
export function Status({ of }: { of: WebhookDelivery }) {
  const last = of.attempts.at(-1);
  return (
    <span>
      <span class={`badge ${tones[shownStatus(of)]}`}>{shownStatus(of)}</span>{' '}
      {last && <span>{inBrief(last)}</span>}{' '}
      <small>
        {deliveryWords(of)}
        {of.next_attempt_at && <NextAttempt at={of.next_attempt_at} />}
      </small>
    </span>
  );
}

/** The attempts; those that follow each other with the same answer are one line. */
const Attempts = ({ of: { attempts, attempt_count } }: { of: WebhookDelivery }) =>
  attempt_count === 0 ? (
    <span class="quiet">{texts.logNoAttempt}</span>
  ) : (
    <ol class="attempts">
      {alike(attempts).map(([first, ...others]) => {
        if (!first) return null;
        const last = others.at(-1);
        return (
          <li key={first.number} value={first.number}>
            <Sentence
              of={last ? texts.logTimes : texts.logOnce}
              outcome={outcomeWords(first)}
              count={counted(others.length + 1)}
              ms={counted(first.duration_ms)}
              time={<Time at={first.started_at} how={atMinute} />}
              last={last && <Time at={last.started_at} how={atMinute} />}
            />
            {first.response_excerpt && <pre>{first.response_excerpt}</pre>}
          </li>
        );
      })}
    </ol>
  );

function Redeliver({ of, redelivering }: { of: WebhookDelivery; redelivering: Redelivering }) {
  const state = redelivering.stateOf(of);
  return (
    <>
      {state?.kind !== 'done' && (
        <button
          type="button"
          class="link"
          disabled={state?.kind === 'pending'}
          onClick={() => redelivering.send(of)}
        >
          {state?.kind === 'pending'
            ? texts.logSending
            : state?.kind === 'open'
              ? texts.logTryAgain
              : of.status === 'pending'
                ? texts.logRetryNow
                : texts.logRedeliver}
          <span class="unseen"> {of.event_type}</span>
        </button>
      )}
      <span role="status" class={state?.kind === 'done' ? 'quiet' : 'problem'}>
        {state?.kind === 'done' && texts.logSentAgain}
        {state?.kind === 'refused' && state.message}
        {state?.kind === 'open' && texts.logNoAnswer}
      </span>
    </>
  );
}

export const NextAttempt = ({ at }: { at: string }) =>
  Date.parse(at) > Date.now() ? <Sentence of={texts.logNext} time={<Time at={at} />} /> : texts.logDue;
