import { useState } from 'preact/hooks';
import type {
  SubscriptionPatch,
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useValues } from '../drafts.ts';
import { useEditing } from '../editing.ts';
import { FormDialog } from '../parts/FormDialog.tsx';
import { useSending } from '../sending.ts';
import { create, readSubscription, update } from './calls.ts';
import {
  emptyValues,
  problemsOf,
  SubscriptionFields,
  type SubscriptionValues,
  sentOf,
  valuesOf,
} from './fields.tsx';

export const createForm = 'webhook';

export function CreateSubscription({
  done,
  close,
}: {
  done: (created: SubscriptionWithSecret) => void;
  close: (changed: boolean) => void;
}) {
  const [values, change] = useValues(createForm, emptyValues);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { progress, send } = useSending(createForm, create, done);
  const problems = problemsOf(values);
  const submit = () => {
    setSubmitted(true);
    if (progress.kind === 'open' || Object.keys(problems).length === 0)
      send({ ...sentOf(values), exclude_own: false, changed_fields: null, status: 'active' });
  };
  return (
    <FormDialog
      title="Create a webhook subscription"
      progress={progress}
      action="Create subscription"
      waiting="Creating…"
      open="No answer came, so the subscription may have been created or not. “Try again” repeats the same request: there will be one."
      submit={submit}
      close={close}
    >
      <SubscriptionFields values={values} problems={wasSubmitted ? problems : {}} change={change} />
    </FormDialog>
  );
}

interface EditProps {
  of: WebhookSubscription;
  done: (changed: WebhookSubscription) => void;
  close: (changed: boolean) => void;
}

/** What the form changes; what it leaves as it is stays out, so that another change of it stays. */
const patchOf = (of: WebhookSubscription, values: SubscriptionValues): SubscriptionPatch => {
  const before = sentOf(valuesOf(of));
  return Object.fromEntries(
    Object.entries(sentOf(values)).filter(
      ([field, value]) => String(value) !== String(before[field as keyof typeof before]),
    ),
  );
};

export function EditSubscription({ of, done, close }: EditProps) {
  const { values, change, current, progress, submit, isStale } = useEditing(`webhook-edit ${of.id}`, {
    of,
    valuesOf,
    patchOf,
    problemsOf,
    write: (patch, version) => update(of.id, patch, version),
    read: () => readSubscription(of.id),
    done,
  });
  return (
    <FormDialog
      title="Edit the subscription"
      progress={progress}
      action={isStale ? 'Save all the same' : 'Save'}
      waiting="Saving…"
      open="No answer came, so the subscription may have been changed or not. “Try again” makes sure of it."
      submit={submit}
      close={close}
      refusal={
        isStale &&
        `The subscription was changed in the meantime. It now sends ${current.event_types.join(', ')} to ${current.url}. What you typed is still here.`
      }
    >
      <SubscriptionFields values={values} problems={problemsOf(values)} change={change} />
    </FormDialog>
  );
}
