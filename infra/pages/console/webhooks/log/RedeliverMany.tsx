import { useEffect } from 'preact/hooks';
import type {
  RedeliveryRequest,
  WebhookRedelivery,
} from '../../../../../lib/contract/webhookRedeliveries.ts';
import { changeQuery } from '../../addressHistory.ts';
import { useValues } from '../../drafts.ts';
import { readShown, useLoading } from '../../loading.ts';
import { counted } from '../../locale.ts';
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
          isHeld={of.status !== 'active'}
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

function Form({ of, filter, done, close }: FormProps) {
  const { id } = of;
  const [{ status, ...range }, change] = useValues<Omit<DeliveryFilter, 'status'> & { status: string }>(
    formOf(id),
    () => filter,
  );
  const counting = useLoading(
    () =>
      Promise.all(texts.manyStatuses.map(([one]) => countEnded(id, requestOf({ ...range, status: one })))),
    `ended ${id} ${JSON.stringify(range)}`,
  );
  const { data: counts = [] } = counting;
  // Until somebody chooses, the first of which there are some.
  const { manyStatuses: all } = texts;
  const [chosen] = all.find(([one]) => one === status) ?? all.find((_, i) => counts[i]) ?? all[0];
  const { progress, send } = useSending(
    formOf(id),
    (body: RedeliveryRequest, once) => redeliverMany(id, body, once),
    done,
  );
  const isRefused = progress.kind === 'refused' && progress.problem.status === 409;
  // Another one is running: it is shown.
  useEffect(() => {
    if (isRefused) readShown();
  }, [isRefused]);
  const count = counts[all.findIndex(([one]) => one === chosen)] ?? 0;
  return (
    <FormDialog
      title={texts.manyTitle}
      progress={progress}
      waiting={texts.manyWaiting}
      action={texts.manyActionFor(count)}
      isEmpty={(count === 0 && progress.kind !== 'open') || isRefused}
      refusal={isRefused && texts.manyRunning}
      submit={() => send(requestOf({ ...range, status: chosen }))}
      close={close}
    >
      <fieldset>
        <legend>{texts.logTitle}</legend>
        {all.map(([one, words, about], i) => (
          <Box
            key={one}
            type="radio"
            group="status"
            checked={chosen === one}
            change={() => change({ status: one })}
          >
            {words} {counting.data && `(${counted(counts[i] ?? 0)})`} <small>{about}</small>
          </Box>
        ))}
      </fieldset>
      <div class="filters">
        <EventAndTime chosen={range} change={change} />
      </div>
      <Loaded loading={counting} what={texts.manyReading}>
        {() => <p class="note">{of.status === 'active' ? texts.manyAbout : texts.manyHeld}</p>}
      </Loaded>
    </FormDialog>
  );
}
