import { useState } from 'preact/hooks';
import type { WebhookRedelivery } from '../../../../../lib/contract/webhookRedeliveries.ts';
import { closeDialog, openDialog, route } from '../../route.ts';
import { useStore } from '../../store.ts';
import { actions } from '../texts.ts';
import { keepRedelivery, keptRedelivery } from './kept.ts';
import { formOf, RedeliverForm } from './RedeliverForm.tsx';
import { RedeliveryProgress } from './RedeliveryProgress.tsx';

/** The way to send many deliveries again. */
export const RedeliverManyButton = ({ id }: { id: string }) => (
  <button type="button" onClick={() => openDialog(formOf(id))}>
    {actions.many}
  </button>
);

/** Sends many deliveries again: the form that begins it, and how far it is. @param again reads the deliveries again */
export function RedeliverMany({ id, again }: { id: string; again: () => void }) {
  const { query } = useStore(route);
  const [running, setRunning] = useState(() => keptRedelivery(id));
  const show = (redelivery: string | undefined) => {
    keepRedelivery(id, redelivery);
    setRunning(redelivery);
  };
  const done = (begun: WebhookRedelivery) => {
    closeDialog();
    show(begun.id);
  };
  return (
    <>
      {running !== undefined && (
        <RedeliveryProgress
          key={running}
          subscription={id}
          id={running}
          again={again}
          close={() => show(undefined)}
        />
      )}
      {query.dialog === formOf(id) && <RedeliverForm id={id} done={done} close={closeDialog} />}
    </>
  );
}
