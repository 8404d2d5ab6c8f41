import { useEffect } from 'preact/hooks';
import type { WebhookRedelivery } from '../../../../../lib/contract/webhookRedeliveries.ts';
import { readResponded, useLoading } from '../../loading.ts';
import { counted } from '../../locale.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { readRedelivery } from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';

/** How long the page waits before it reads the progress again. */
const everyMs = 1000;

interface Props {
  subscription: string;
  /** True while the subscription is not active. */
  isHeld: boolean;
  id: string;
  close: () => void;
}

/** The progress of a redelivery of many, which is read again until it has ended. */
export function RedeliveryProgress({ subscription, id, isHeld, close }: Props) {
  const loading = useLoading(() => readRedelivery(subscription, id), `redelivery ${id}`);
  const { data, again: read } = loading;
  useEffect(() => {
    if (data?.state !== 'running') return;
    const timer = setTimeout(read, everyMs);
    return () => clearTimeout(timer);
  }, [data]);
  // Once: it reads the progress again, too.
  useEffect(() => {
    if (data && data.state !== 'running') readResponded();
  }, [data?.state]);
  return (
    <Loaded loading={loading} what={texts.manyProgress}>
      {(job) => (
        <Notice tone="info">
          <p role="status">
            {isHeld && job.state === 'running' ? texts.manyHeld : texts.manyStates[job.state]}
          </p>
          <Numbers of={job} />
          {job.state !== 'running' && (
            <button type="button" onClick={close}>
              {texts.manyClose}
            </button>
          )}
        </Notice>
      )}
    </Loaded>
  );
}

/** Returns why deliveries are left out. */
const reasonsOf = ({ left_out }: WebhookRedelivery): string[] =>
  Object.entries(texts.manyLeftOut).flatMap(([name, words]) => {
    const count = left_out[name as keyof typeof texts.manyLeftOut];
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
        aria-label={texts.manyProgress}
      />{' '}
      {texts.manySent(redelivered, total - skipped)}
      {reasons.length > 0 && <small>{texts.manyReasons(reasons.join(', '))}</small>}
    </p>
  );
};
