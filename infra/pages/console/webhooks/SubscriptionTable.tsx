import { readResponded } from '../loading.ts';
import { InReference } from '../parts/InReference.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Cell, Table } from '../parts/Table.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { SendAll } from './FailingNotice.tsx';
import { NextAttempt } from './log/DeliveryTable.tsx';
import { TestResult, useTest } from './TestCall.tsx';
import type { ConsoleSubscription } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';
import { healthOf, isFailing, outcomeWords, reasonWords } from './webhookWords.ts';

/** The subscriptions as a table; on a phone as cards. */
export const SubscriptionTable = ({ all }: { all: readonly ConsoleSubscription[] }) => (
  <Table class="cards" caption={texts.title} columns={texts.columns}>
    {all
      .toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a)))
      .map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <a class="break" href={hrefOf('webhooks', one.id)}>
              {one.description ?? one.url}
            </a>
            {one.description && <small class="break">{one.url}</small>}
          </th>
          <Cell of={texts.columns[1]}>
            <EventTypes of={one} />
          </Cell>
          <Cell of={texts.columns[2]}>
            <SubscriptionStatus of={one} />
          </Cell>
        </tr>
      ))}
  </Table>
);

export const EventTypes = ({ of }: { of: ConsoleSubscription }) => (
  <span class="badges">
    {of.event_types.map((type) => (
      <InReference key={type} page={type.includes('*') ? 'events.html' : `events.html#${type}`}>
        {type === '*' ? texts.allEvents : type}
      </InReference>
    ))}
  </span>
);

/**
 * The badge of a subscription, with why its receiver fails, what waits and what has failed. Usual states are quiet.
 * @param isBrief whether something else says the reason and the numbers
 */
export function SubscriptionStatus({ of, isBrief = false }: { of: ConsoleSubscription; isBrief?: boolean }) {
  const { words, tone } = healthOf(of);
  const { waiting, failed_24h, last_failure } = of.deliveries;
  const { last_success_at } = of.health;
  const counts = [
    ...(waiting > 0 ? [texts.healthWaiting(waiting)] : []),
    ...(failed_24h > 0 ? [texts.healthFailed(failed_24h)] : []),
  ];
  const badge = (
    <>
      <span class={tone || of.status !== 'active' ? `badge ${tone}` : 'quiet'}>{words}</span>
      {of.status_reason && <small>{reasonWords(of)}</small>}
    </>
  );
  if (isBrief) return badge;
  return (
    <>
      {badge}
      {isFailing(of) && last_failure && <small class="whole">{outcomeWords(last_failure)}</small>}
      {counts.length > 0 && <small class={failed_24h > 0 ? 'bad' : ''}>{counts.join(' · ')}</small>}
      {!isFailing(of) && last_success_at && (
        <small>
          <Sentence of={texts.healthLatest} time={<Time at={last_success_at} />} />
        </small>
      )}
      {of.next_probe_at && (
        <small>
          <NextAttempt at={of.next_probe_at} />
        </small>
      )}
      {isFailing(of) && <SendFromList of={of} />}
    </>
  );
}

/** Sends what waits without opening the subscription, and shows what the test has found that comes first while the receiver is down. */
function SendFromList({ of }: { of: ConsoleSubscription }) {
  const test = useTest(of.id, readResponded);
  return (
    <>
      <p class="actions">
        <SendAll of={of} test={test} />
      </p>
      <div role="status">
        {test.result && !test.isPending && <TestResult of={test.result.of} checked={false} />}
      </div>
    </>
  );
}
