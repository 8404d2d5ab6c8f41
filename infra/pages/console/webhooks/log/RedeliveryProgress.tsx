import { useEffect, useState } from 'preact/hooks';
import type { WebhookRedelivery } from '../../../../../lib/contract/webhookRedeliveries.ts';
import type { Problem } from '../../call.ts';
import { counted } from '../../numbers.ts';
import { Notice } from '../../parts/Notice.tsx';
import { readRedelivery } from '../calls.ts';
import { many as texts } from '../texts.ts';

/** How long the page waits before it reads the progress again. */
const everyMs = 1000;

interface Props {
  subscription: string;
  id: string;
  /** Is called when it has ended. */
  again: () => void;
  close: () => void;
}

/** How far a redelivery of many is. It is read again until it has ended. */
export function RedeliveryProgress({ subscription, id, again, close }: Props) {
  const [job, show] = useState<WebhookRedelivery>();
  const [problem, fail] = useState<Problem>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isShown = true;
    const read = async () => {
      const found = await readRedelivery(subscription, id).catch((caught: Problem) => {
        fail(caught);
      });
      if (!isShown || !found) return;
      show(found);
      if (found.state === 'running') timer = setTimeout(read, everyMs);
      else again();
    };
    if (!problem) void read();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [problem]);
  const isRunning = !problem && (job === undefined || job.state === 'running');
  return (
    <Notice tone={problem ? 'bad' : 'info'}>
      <p role="status">{problem ? texts.notRead(problem.message) : texts.states[job?.state ?? 'running']}</p>
      {job && <Numbers of={job} />}
      {problem && (
        <button type="button" onClick={() => fail(undefined)}>
          {texts.tryAgain}
        </button>
      )}{' '}
      {!isRunning && (
        <button type="button" onClick={close}>
          {texts.close}
        </button>
      )}
    </Notice>
  );
}

/** Why deliveries are left out. */
const reasonsOf = ({ left_out }: WebhookRedelivery): string[] =>
  Object.entries(texts.leftOut).flatMap(([name, words]) => {
    const count = left_out[name as keyof typeof texts.leftOut];
    return count > 0 ? [`${counted(count)} ${words}`] : [];
  });

const Numbers = ({ of }: { of: WebhookRedelivery }) => {
  const { total, redelivered, skipped } = of;
  const reasons = reasonsOf(of);
  return (
    <p>
      <progress
        max={Math.max(total, 1)}
        value={total === 0 ? 1 : redelivered + skipped}
        aria-label={texts.progress}
      />{' '}
      {texts.sent(redelivered, total, skipped)}
      {reasons.length > 0 && <small>{texts.reasons(reasons.join(', '))}</small>}
    </p>
  );
};
