import { useId, useState } from 'preact/hooks';
import type { RedeliveryRequest, WebhookRedelivery } from '../../../../lib/contract/webhookRedeliveries.ts';
import { draftOf, useValues } from '../drafts.ts';
import { Choice } from '../parts/Choice.tsx';
import { Field } from '../parts/Field.tsx';
import { FormDialog } from '../parts/FormDialog.tsx';
import { useSending } from '../sending.ts';
import { redeliverMany } from './calls.ts';
import { RedeliveryProgress } from './RedeliveryProgress.tsx';
import { keepRedelivery, keptRedelivery } from './redeliveryKept.ts';

const formOf = (id: string): string => `webhook-redeliver ${id}`;

/** Sends all failed deliveries since a time again: the way to begin it, and how far it is. @param again reads the deliveries again */
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
            Redeliver all failed since…
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

interface Values {
  /** How many hours ago it begins; empty for `at`. */
  hours: (typeof times)[number][0];
  /** A local time, as the browser's field for times has it. */
  at: string;
  status: RedeliveryRequest['status'];
}

const times = [
  ['1', '1 hour ago'],
  ['24', '24 hours ago'],
  ['168', '7 days ago'],
  ['720', '30 days ago: all that are kept'],
  ['', 'A time…'],
] as const;

const hourMs = 3_600_000;

const sinceOf = ({ hours, at }: Values): string =>
  new Date(hours ? Date.now() - Number(hours) * hourMs : at).toISOString();

const problemOf = ({ hours, at }: Values): string | undefined =>
  hours || !Number.isNaN(Date.parse(at)) ? undefined : 'Enter a date and a time.';

interface FormProps {
  id: string;
  done: (begun: WebhookRedelivery) => void;
  close: () => void;
}

function RedeliverForm({ id, done, close }: FormProps) {
  const [values, change] = useValues<Values>(formOf(id), () => ({ hours: '24', at: '', status: 'failed' }));
  const [wasSubmitted, setSubmitted] = useState(false);
  const { progress, send } = useSending(
    formOf(id),
    (body: RedeliveryRequest, once) => redeliverMany(id, body, once),
    done,
  );
  const problem = problemOf(values);
  const submit = () => {
    setSubmitted(true);
    if (progress.kind === 'open' || problem === undefined)
      send({ since: sinceOf(values), before: null, event_types: null, status: values.status });
  };
  return (
    <FormDialog
      title="Redeliver many"
      progress={progress}
      action="Redeliver"
      waiting="Beginning…"
      open="No answer came, so it may have begun or not. “Try again” repeats the same request: each delivery is sent again once."
      submit={submit}
      close={close}
    >
      <p>
        Each delivery is sent again once, at the pace of the subscription. You need not stay on this page.
      </p>
      <Choice label="Since" options={times} chosen={values.hours} choose={(hours) => change({ hours })} />
      {values.hours === '' && (
        <Field label="Time" problem={wasSubmitted ? problem : undefined}>
          {(described) => (
            <input
              {...described}
              type="datetime-local"
              value={values.at}
              onInput={({ currentTarget: { value } }) => change({ at: value })}
            />
          )}
        </Field>
      )}
      <StatusField status={values.status} choose={(status) => change({ status })} />
    </FormDialog>
  );
}

function StatusField({
  status,
  choose,
}: {
  status: Values['status'];
  choose: (status: Values['status']) => void;
}) {
  const name = useId();
  const choice = (value: Values['status'], words: string) => (
    <label class="choice">
      <input type="radio" name={name} checked={status === value} onChange={() => choose(value)} />
      {words}
    </label>
  );
  return (
    <fieldset>
      <legend>Which</legend>
      {choice('failed', 'Only those that failed')}
      {choice('all', 'All, also those that arrived: for a receiver that took them and then lost them')}
    </fieldset>
  );
}
