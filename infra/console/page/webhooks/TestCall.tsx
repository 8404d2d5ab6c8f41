import { useState } from 'preact/hooks';
import type { TestResult } from '../../../../lib/contract/webhookDeliveries.ts';
import type { Problem } from '../call.ts';
import { Notice } from '../parts/Notice.tsx';
import { test } from './calls.ts';
import { outcomeWords } from './words.ts';

/** Sends a test event and shows what the receiver answered. */
export function TestCall({ id }: { id: string }) {
  const [result, show] = useState<{ answer: TestResult | Problem; checked: boolean }>();
  const [isPending, setPending] = useState(false);
  const [checks, setChecks] = useState(true);
  const clicked = () => {
    setPending(true);
    const answered = (answer: TestResult | Problem) => show({ answer, checked: checks });
    test(id, checks)
      .then(answered, answered)
      .finally(() => setPending(false));
  };
  return (
    <section class="test">
      <h2>Test</h2>
      <label class="choice">
        <input type="checkbox" checked={checks} disabled={isPending} onChange={() => setChecks(!checks)} />
        Also check that your receiver refuses a forged event and an old one
      </label>
      <p>
        <button type="button" onClick={clicked} disabled={isPending}>
          {isPending ? 'Waiting for your receiver…' : 'Send a test event'}
        </button>
      </p>
      <div role="status">
        {result && !isPending && <Result of={result.answer} checked={result.checked} />}
      </div>
    </section>
  );
}

/** @param checked whether forged events were sent, too */
const Result = ({ of, checked }: { of: TestResult | Problem; checked: boolean }) =>
  'outcome' in of ? (
    <>
      <p>
        <span class={`badge ${of.outcome === 'success' ? 'good' : 'bad'}`}>
          {of.outcome.replace('_', ' ')}
        </span>{' '}
        {outcomeWords(of)} after {of.duration_ms} ms
      </p>
      {of.response_excerpt && <pre>{of.response_excerpt}</pre>}
      {checked && of.outcome === 'success' && <Signatures verified={of.verifies_signatures} />}
    </>
  ) : (
    <p class="problem">{of.message}</p>
  );

const Signatures = ({ verified }: { verified: TestResult['verifies_signatures'] }) => {
  if (verified === null)
    return (
      <Notice tone="info">
        Whether your receiver verifies signatures is not known: it gave no clear answer to a forged event and
        an old one. Try again.
      </Notice>
    );
  return verified ? (
    <Notice tone="info">
      Your receiver verifies signatures: it refused a forged event and one that was an hour old.
    </Notice>
  ) : (
    <Notice tone="bad">
      <strong>Your receiver does not verify signatures.</strong> It accepted a forged event or one that was an
      hour old, so anybody who knows its address can send it events. Check the signature and the time with the
      signing secret, as the libraries of Standard Webhooks do.
    </Notice>
  );
};
