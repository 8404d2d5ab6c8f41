import { useState } from 'preact/hooks';
import { eventTypes, testEventType } from '../../../../lib/contract/eventTypes.ts';
import type { TestResult } from '../../../../lib/contract/webhookDeliveries.ts';
import type { Problem } from '../call.ts';
import { Box } from '../parts/Box.tsx';
import { Choice } from '../parts/Choice.tsx';
import { Notice } from '../parts/Notice.tsx';
import { type TestedType, test } from './calls.ts';
import * as texts from './texts.ts';
import { outcomeWords } from './words.ts';

/** Sends a test event and shows what the receiver answered. */
export function TestCall({ id }: { id: string }) {
  const [result, show] = useState<{ answer: TestResult | Problem; checked: boolean }>();
  const [isPending, setPending] = useState(false);
  const [checks, setChecks] = useState(true);
  const [type, setType] = useState<TestedType>(testEventType);
  const clicked = () => {
    setPending(true);
    const answered = (answer: TestResult | Problem) => show({ answer, checked: checks });
    test(id, checks, type)
      .then(answered, answered)
      .finally(() => setPending(false));
  };
  return (
    <section class="test">
      <h2>{texts.test.title}</h2>
      <Box checked={checks} disabled={isPending} change={setChecks}>
        {texts.test.check}
      </Box>
      <div class="filters">
        <Choice
          label={texts.test.type}
          options={[
            [testEventType, texts.test.plain],
            ...eventTypes.map((one): [TestedType, string] => [one, one]),
          ]}
          chosen={type}
          choose={setType}
        />
        <button type="button" onClick={clicked} disabled={isPending}>
          {isPending ? texts.test.waiting : texts.test.send}
        </button>
      </div>
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
        {outcomeWords(of)} {texts.test.after(of.duration_ms)}
      </p>
      {of.response_excerpt && <pre>{of.response_excerpt}</pre>}
      {checked && of.outcome === 'success' && <Signatures verified={of.verifies_signatures} />}
    </>
  ) : (
    <p class="problem">{of.message}</p>
  );

const Signatures = ({ verified }: { verified: TestResult['verifies_signatures'] }) => {
  if (verified === null) return <Notice tone="info">{texts.test.unclear}</Notice>;
  return verified ? (
    <Notice tone="info">{texts.test.verifies}</Notice>
  ) : (
    <Notice tone="bad">
      <strong>{texts.test.doesNot}</strong> {texts.test.doesNotAbout}
    </Notice>
  );
};
