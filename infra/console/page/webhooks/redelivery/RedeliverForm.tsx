import { useId, useState } from 'preact/hooks';
import type {
  RedeliveryRequest,
  WebhookRedelivery,
} from '../../../../../lib/contract/webhookRedeliveries.ts';
import { useValues } from '../../drafts.ts';
import { useLoading } from '../../loading.ts';
import { counted } from '../../numbers.ts';
import { Choice } from '../../parts/Choice.tsx';
import { Field } from '../../parts/Field.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { useSending } from '../../sending.ts';
import { countEnded, redeliverMany } from '../calls.ts';
import { EventFields } from '../EventFields.tsx';
import { beginnings, ends, firstValues, problemsOf, type RedeliveryValues, requestOf } from './values.ts';

export const formOf = (id: string): string => `webhook-redeliver ${id}`;

interface Props {
  id: string;
  done: (begun: WebhookRedelivery) => void;
  close: () => void;
}

/** The form that begins a redelivery of many. */
export function RedeliverForm({ id, done, close }: Props) {
  const [values, change] = useValues(formOf(id), firstValues);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { progress, send } = useSending(
    formOf(id),
    (body: RedeliveryRequest, once) => redeliverMany(id, body, once),
    done,
  );
  const problems = problemsOf(values);
  const isRight = Object.keys(problems).length === 0;
  const submit = () => {
    setSubmitted(true);
    if (progress.kind === 'open' || isRight) send(requestOf(values));
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
      <StatusField status={values.status} choose={(status) => change({ status })} />
      <Times values={values} problems={wasSubmitted ? problems : {}} change={change} />
      <EventFields
        chosen={values.event_types}
        every="All"
        problem={wasSubmitted ? problems.event_types : undefined}
        choose={(event_types) => change({ event_types })}
      />
      {isRight && <Expected id={id} values={values} />}
    </FormDialog>
  );
}

interface TimesProps {
  values: RedeliveryValues;
  problems: ReturnType<typeof problemsOf>;
  change: (part: Partial<RedeliveryValues>) => void;
}

const Times = ({ values, problems, change }: TimesProps) => (
  <>
    <Choice
      label="Stored since"
      options={beginnings}
      chosen={values.hours}
      choose={(hours) => change({ hours })}
    />
    {values.hours === '' && (
      <TimeField label="Since" value={values.at} problem={problems.at} enter={(at) => change({ at })} />
    )}
    <Choice label="Stored before" options={ends} chosen={values.end} choose={(end) => change({ end })} />
    {values.end === '' && (
      <TimeField
        label="Before"
        value={values.until}
        problem={problems.until}
        enter={(until) => change({ until })}
      />
    )}
  </>
);

interface TimeProps {
  label: string;
  value: string;
  problem: string | undefined;
  enter: (value: string) => void;
}

const TimeField = ({ label, value, problem, enter }: TimeProps) => (
  <Field label={label} problem={problem}>
    {(described) => (
      <input
        {...described}
        type="datetime-local"
        value={value}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
    )}
  </Field>
);

/** How many deliveries would be sent again. */
function Expected({ id, values }: { id: string; values: RedeliveryValues }) {
  const loading = useLoading(() => countEnded(id, requestOf(values)), JSON.stringify(values));
  return (
    <Loaded loading={loading} what="number of deliveries">
      {(count) => (
        <p>
          {count === 1 ? '1 delivery is like this.' : `${counted(count)} deliveries are like this.`} Those
          that wait are left out: they are sent anyway.
        </p>
      )}
    </Loaded>
  );
}

function StatusField({
  status,
  choose,
}: {
  status: RedeliveryValues['status'];
  choose: (status: RedeliveryValues['status']) => void;
}) {
  const name = useId();
  const choice = (value: RedeliveryValues['status'], words: string) => (
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
