import { useState } from 'preact/hooks';
import { eventTypes, testEventType } from '../../../../lib/contract/eventTypes.ts';
import type { TestResult as Tested } from '../../../../lib/contract/webhookDeliveries.ts';
import type { Problem } from '../callProblem.ts';
import { Box } from '../parts/Box.tsx';
import { Choice } from '../parts/Choice.tsx';
import { Icon } from '../parts/Icon.tsx';
import { type TestedType, test } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';
import { outcomeWords } from './webhookWords.ts';

/** The test of a subscription: its options, and the result of the last one. */
export interface Test {
  type: TestedType;
  /** Whether forged events are sent, too. */
  checks: boolean;
  change: (part: Partial<Pick<Test, 'type' | 'checks'>>) => void;
  isPending: boolean;
  /** @returns whether the receiver has accepted the event */
  send: () => Promise<boolean>;
  result: { of: Tested | Problem; checked: boolean } | undefined;
}

/** @param accepted is called when the receiver has accepted an event */
export function useTest(id: string, accepted: () => void): Test {
  const [{ type, checks }, setOptions] = useState<Pick<Test, 'type' | 'checks'>>({
    type: testEventType,
    checks: true,
  });
  const [result, show] = useState<Test['result']>();
  const [isPending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    const of = await test(id, checks, type).catch((problem: Problem) => problem);
    show({ of, checked: checks });
    setPending(false);
    const isAccepted = 'outcome' in of && of.outcome === 'success';
    if (isAccepted) accepted();
    return isAccepted;
  };
  return {
    type,
    checks,
    change: (part) => setOptions({ type, checks, ...part }),
    isPending,
    send,
    result,
  };
}

/** Sends a test event and shows how the receiver responded. */
export const TestCall = ({ test: { type, checks, change, isPending, send, result } }: { test: Test }) => (
  <section class="test">
    <h2>{texts.testTitle}</h2>
    <div class="filters">
      <Choice
        label={texts.testType}
        options={[
          [testEventType, testEventType],
          ...eventTypes.map((one): [TestedType, string] => [one, one]),
        ]}
        chosen={type}
        choose={(chosen) => change({ type: chosen })}
      />
      <button type="button" onClick={send} disabled={isPending}>
        {isPending ? texts.testWaiting : texts.testSend}
      </button>
      <Box checked={checks} disabled={isPending} change={(checked) => change({ checks: checked })}>
        {texts.testCheck}
      </Box>
    </div>
    <div role="status">{result && !isPending && <TestResult {...result} />}</div>
  </section>
);

export const TestResult = ({ of, checked }: NonNullable<Test['result']>) =>
  'outcome' in of ? (
    <>
      <ul class="checks">
        <Check isGood={of.outcome === 'success'}>
          {outcomeWords(of)} {texts.testAfter(of.duration_ms)}
        </Check>
        {checked && of.outcome === 'success' && <Signatures verified={of.verifies_signatures} />}
      </ul>
      {of.response_excerpt && <pre>{of.response_excerpt}</pre>}
    </>
  ) : (
    <p class="problem">{of.message}</p>
  );

const Signatures = ({ verified }: { verified: Tested['verifies_signatures'] }) => {
  if (verified === null) return <Check>{texts.testUnclear}</Check>;
  return verified ? (
    <Check isGood>{texts.testVerifies}</Check>
  ) : (
    <Check isGood={false}>
      <strong>{texts.testDoesNot}</strong> {texts.testDoesNotAbout}
    </Check>
  );
};

/** One thing that a test has shown; without `isGood` it is open. */
const Check = ({ isGood, children }: { isGood?: boolean; children: preact.ComponentChildren }) => (
  <li class={isGood === undefined ? '' : isGood ? 'good' : 'bad'}>
    <Icon name={isGood ? 'check' : 'warning'} /> <span>{children}</span>
  </li>
);
