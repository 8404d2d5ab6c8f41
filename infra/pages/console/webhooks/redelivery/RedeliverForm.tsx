import { useId, useState } from 'preact/hooks';
import type {
  RedeliveryRequest,
  WebhookRedelivery,
} from '../../../../../lib/contract/webhookRedeliveries.ts';
import { useValues } from '../../drafts.ts';
import { useLoading } from '../../loading.ts';
import { Choice } from '../../parts/Choice.tsx';
import { FormDialog } from '../../parts/dialog/FormDialog.tsx';
import { Field } from '../../parts/Field.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { useSending } from '../../sending.ts';
import { countEnded, redeliverMany } from '../calls.ts';
import { EventFields } from '../events/EventFields.tsx';
import * as texts from './texts.ts';
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
      title={texts.title}
      progress={progress}
      action={texts.action}
      waiting={texts.waiting}
      open={texts.open}
      submit={submit}
      close={close}
    >
      <p>{texts.about}</p>
      <StatusField status={values.status} choose={(status) => change({ status })} />
      <Times values={values} problems={wasSubmitted ? problems : {}} change={change} />
      <EventFields
        chosen={values.event_types}
        every={texts.all}
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
      label={texts.since}
      options={beginnings}
      chosen={values.hours}
      choose={(hours) => change({ hours })}
    />
    {values.hours === '' && (
      <TimeField
        label={texts.sinceTime}
        value={values.at}
        problem={problems.at}
        enter={(at) => change({ at })}
      />
    )}
    <Choice label={texts.before} options={ends} chosen={values.end} choose={(end) => change({ end })} />
    {values.end === '' && (
      <TimeField
        label={texts.beforeTime}
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
  const loading = useLoading(
    () => countEnded(id, requestOf(values)),
    `ended ${id} ${JSON.stringify(values)}`,
  );
  return (
    <Loaded loading={loading} what={texts.reading}>
      {(count) => <p>{texts.expected(count)}</p>}
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
      <legend>{texts.which}</legend>
      {choice('failed', texts.onlyFailed)}
      {choice('all', texts.alsoArrived)}
    </fieldset>
  );
}
