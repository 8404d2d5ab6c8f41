import { useState } from 'preact/hooks';
import type { WebhookRedelivery } from '../../../../../lib/contract/webhookRedeliveries.ts';
import { draftOf } from '../../drafts.ts';
import { keepRedelivery, keptRedelivery } from './kept.ts';
import { formOf, RedeliverForm } from './RedeliverForm.tsx';
import { RedeliveryProgress } from './RedeliveryProgress.tsx';

/** Sends many deliveries again: the way to begin it, and how far it is. @param again reads the deliveries again */
export function RedeliverMany({ id, again }: { id: string; again: () => void }) {
  const [isOpen, setOpen] = useState(() => draftOf(formOf(id)) !== undefined);
  const [running, setRunning] = useState(() => keptRedelivery(id));
  const show = (redelivery: string | undefined) => {
    keepRedelivery(id, redelivery);
    setRunning(redelivery);
  };
  const done = (begun: WebhookRedelivery) => {
    setOpen(false);
    show(begun.id);
  };
  return (
    <>
      {running === undefined ? (
        <div class="filters">
          <button type="button" onClick={() => setOpen(true)}>
            Redeliver many…
          </button>
        </div>
      ) : (
        <RedeliveryProgress
          key={running}
          subscription={id}
          id={running}
          again={again}
          close={() => show(undefined)}
        />
      )}
      {isOpen && <RedeliverForm id={id} done={done} close={() => setOpen(false)} />}
    </>
  );
}
