import { useState } from 'preact/hooks';
import type { TestResult } from '../../../../lib/contract/webhookDeliveries.ts';
import type { Problem } from '../call.ts';
import { test } from './calls.ts';
import { outcomeWords } from './words.ts';

/** Sends a test event and shows what the receiver answered. */
export function TestCall({ id }: { id: string }) {
  const [result, show] = useState<TestResult | Problem>();
  const [isPending, setPending] = useState(false);
  const clicked = () => {
    setPending(true);
    test(id)
      .then(show, show)
      .finally(() => setPending(false));
  };
  return (
    <section class="test">
      <h2>Test</h2>
      <p>
        <button type="button" onClick={clicked} disabled={isPending}>
          {isPending ? 'Waiting for your receiver…' : 'Send a test event'}
        </button>
      </p>
      <div role="status">{result && !isPending && <Result of={result} />}</div>
    </section>
  );
}

const Result = ({ of }: { of: TestResult | Problem }) =>
  'outcome' in of ? (
    <>
      <p>
        <span class={`badge ${of.outcome === 'success' ? 'good' : 'bad'}`}>
          {of.outcome.replace('_', ' ')}
        </span>{' '}
        {outcomeWords(of)} after {of.duration_ms} ms
      </p>
      {of.response_excerpt && <pre>{of.response_excerpt}</pre>}
    </>
  ) : (
    <p class="problem">{of.message}</p>
  );
