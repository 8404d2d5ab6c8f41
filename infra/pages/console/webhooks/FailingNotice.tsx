import { go, openDialog } from '../addressHistory.ts';
import { Notice } from '../parts/Notice.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Time } from '../parts/Time.tsx';
import { hrefOf } from '../route.ts';
import { useSending } from '../sending.ts';
import { mayChange } from '../sessionState.ts';
import { atMinute, hoursAgo } from '../shownTimes.ts';
import { formOf } from './log/RedeliverMany.tsx';
import { type Test, TestResult } from './TestCall.tsx';
import { type ConsoleSubscription, keptHours, redeliverMany } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';
import { hasAccepted, isFailing, isStopped, outcomeWords } from './webhookWords.ts';

interface Props {
  of: ConsoleSubscription;
  test: Test;
}

/** Why a receiver fails, since when, what waits for it, and what to do. */
export function FailingNotice({ of, test }: Props) {
  const { last_failure, failing_since, failed_24h, waiting } = of.deliveries;
  if (!isFailing(of)) return null;
  const next = of.next_probe_at ?? of.deliveries.next_attempt_at;
  return (
    <Notice tone="bad">
      <p>
        <strong>
          {failing_since && (
            <Sentence of={texts.failingSince} time={<Time at={failing_since} how={atMinute} />} />
          )}{' '}
          {texts.failingWaiting(waiting)}
        </strong>{' '}
        {last_failure && `${outcomeWords(last_failure)}. `}
        {next && Date.parse(next) > Date.now() && (
          <Sentence of={texts.failingNext} time={<Time at={next} />} />
        )}
      </p>
      {last_failure?.response_excerpt && (
        <figure>
          <figcaption>{texts.failingResponse}</figcaption>
          <pre>{last_failure.response_excerpt}</pre>
        </figure>
      )}
      {mayChange() && !isStopped(of) && (
        <>
          <p class="actions">
            <button type="button" disabled={test.isPending} onClick={test.send}>
              {test.isPending ? texts.testWaiting : texts.failingTest}
            </button>
            <SendAll of={of} test={test} class="primary" />
          </p>
          <div role="status">
            {test.result && !test.isPending && <TestResult of={test.result.of} checked={false} />}
          </div>
          <p>{hasAccepted(of) ? canSend(of) && texts.failingTestFirst : texts.failingNeverAccepted}</p>
        </>
      )}
      {failed_24h > 0 && mayChange() && (
        <p>
          {texts.failingFailed(failed_24h)}{' '}
          <button type="button" class="link" onClick={() => openDialog(formOf(of.id))}>
            {texts.manyBegin}
          </button>
        </p>
      )}
    </Notice>
  );
}

const canSend = (of: ConsoleSubscription): boolean =>
  mayChange() && !isStopped(of) && hasAccepted(of) && of.status !== 'disabled' && of.deliveries.waiting > 0;

/** Sends all that waits, after a test that the receiver accepts, so that nothing is sent to a receiver that still fails. */
export function SendAll({ of, test, class: own }: Props & { class?: string }) {
  const { progress, send } = useSending(
    `send-waiting ${of.id}`,
    (since: string, once) =>
      redeliverMany(of.id, { since, before: null, event_types: null, status: 'pending' }, once),
    ({ id }) => go(hrefOf('webhooks', of.id, { redelivery: id })),
  );
  if (!canSend(of)) return null;
  return (
    <>
      <button
        type="button"
        class={own}
        disabled={progress.kind === 'pending' || test.isPending}
        onClick={async () => (await test.send()) && send(hoursAgo(keptHours))}
      >
        {progress.kind === 'pending'
          ? texts.manyWaiting
          : test.isPending
            ? texts.testWaiting
            : texts.failingSendAll}
      </button>
      <Outcome of={progress} />
    </>
  );
}
