import { useEffect } from 'preact/hooks';
import type {
  RedeliveryRequest,
  WebhookRedelivery,
} from '../../../../../lib/contract/webhookRedeliveries.ts';
import { changeQuery } from '../../addressHistory.ts';
import { useValues } from '../../drafts.ts';
import { readShown, useLoading } from '../../loading.ts';
import { Box } from '../../parts/Box.tsx';
import { FormDialog } from '../../parts/dialog/FormDialog.tsx';
import { useDialog } from '../../parts/dialog/useDialog.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { useSending } from '../../sending.ts';
import { mayChange } from '../../sessionState.ts';
import { hoursAgo } from '../../shownTimes.ts';
import { useChosen } from '../../useChosen.ts';
import {
  type ConsoleSubscription,
  countEnded,
  type DeliveryFilter,
  keptHours,
  redeliverMany,
} from '../webhookCalls.ts';
import * as texts from '../webhookTexts.ts';
import { hasAccepted } from '../webhookWords.ts';
import { EventAndTime } from './DeliveryFilters.tsx';
import { RedeliveryProgress } from './RedeliveryProgress.tsx';

export const formOf = (id: string): string => `webhook-redeliver ${id}`;

interface Props {
  of: ConsoleSubscription;
  /** Which deliveries the log shows: the form begins with them. */
  filter: DeliveryFilter;
}

/** Sends many deliveries again: the form that begins it, and its progress, which is in the address. */
export function RedeliverMany({ of, filter }: Props) {
  const { id } = of;
  const { name, close } = useDialog();
  const [{ redelivery }, change] = useChosen({ redelivery: '' });
  const { redelivery: running } = of.deliveries;
  // Also one that somebody else has begun. It stays until it is closed.
  useEffect(() => {
    if (running) change({ redelivery: running }, 'replace');
  }, [running]);
  // In the place of the dialog, which has done its work.
  const done = (begun: WebhookRedelivery) => {
    changeQuery({ dialog: '', redelivery: begun.id }, 'replace');
    readShown();
  };
  return (
    <>
      {redelivery && (
        <RedeliveryProgress
          key={redelivery}
          subscription={id}
          id={redelivery}
          close={() => change({ redelivery: '' }, 'replace')}
        />
      )}
      {mayChange() && name === formOf(id) && <Form of={of} filter={filter} done={done} close={close} />}
    </>
  );
}

type Values = Pick<DeliveryFilter, 'hours' | 'event'> & Pick<RedeliveryRequest, 'status'>;

const requestOf = ({ hours, event, status }: Values): RedeliveryRequest => ({
  since: hoursAgo(Number(hours) || keptHours),
  before: null,
  event_types: event ? [event] : null,
  status,
});

interface FormProps extends Pick<Props, 'of' | 'filter'> {
  done: (begun: WebhookRedelivery) => void;
  close: () => void;
}

function Form({ of, filter: { hours, event, status: shown }, done, close }: FormProps) {
  const { id } = of;
  const { waiting, failed_24h } = of.deliveries;
  const isWaiting = hasAccepted(of) && waiting > 0 && failed_24h === 0;
  const status = shown === 'pending' || (shown === '' && isWaiting) ? 'pending' : 'failed';
  const [values, change] = useValues(formOf(id), (): Values => ({ hours, event, status }));
  const counting = useLoading(
    () => countEnded(id, requestOf(values)),
    `ended ${id} ${JSON.stringify(values)}`,
  );
  const { progress, send } = useSending(
    formOf(id),
    (body: RedeliveryRequest, once) => redeliverMany(id, body, once),
    done,
  );
  const { data: count = 0 } = counting;
  return (
    <FormDialog
      title={texts.manyTitle}
      progress={progress}
      waiting={texts.manyWaiting}
      action={texts.manyActionFor(count)}
      isEmpty={count === 0 && progress.kind !== 'open'}
      refusal={progress.kind === 'refused' && progress.problem.status === 409 && texts.manyRunning}
      submit={() => send(requestOf(values))}
      close={close}
    >
      <fieldset>
        <legend>{texts.logTitle}</legend>
        {texts.manyStatuses.map(([one, words, about]) => (
          <Box
            key={one}
            type="radio"
            group="status"
            checked={values.status === one}
            change={() => change({ status: one })}
          >
            {words} <small>{about}</small>
          </Box>
        ))}
      </fieldset>
      <div class="filters">
        <EventAndTime chosen={values} change={change} />
      </div>
      <Loaded loading={counting} what={texts.manyReading}>
        {() => <p class="note">{count === 0 ? texts.logNoneFiltered : texts.manyAbout}</p>}
      </Loaded>
    </FormDialog>
  );
}
