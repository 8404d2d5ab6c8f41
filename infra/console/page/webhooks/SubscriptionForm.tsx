import { useState } from 'preact/hooks';
import type {
  SubscriptionPatch,
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useValues } from '../drafts.ts';
import { FormDialog } from '../parts/FormDialog.tsx';
import { useSending } from '../sending.ts';
import { type Change, saveVersion } from '../versions.ts';
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
      send({ ...sentOf(values), status: 'active' });
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
  const form = `webhook-edit ${of.id}`;
  // What is changed is what the person saw when they began to type, also after a new session.
  const [{ seen, ...values }, change] = useValues(form, () => ({ ...valuesOf(of), seen: of }));
  const [current, setCurrent] = useState(seen);
  const problems = problemsOf(values);
  const save = ({ patch, version }: Change<SubscriptionPatch>) =>
    saveVersion<WebhookSubscription>(patch, {
      write: () => update(of.id, patch, version),
      read: () => readSubscription(of.id),
      found: setCurrent,
    });
  const { progress, send } = useSending(form, save, done);
  const submit = () => {
    if (progress.kind === 'open' || Object.keys(problems).length === 0)
      send({ patch: patchOf(seen, values), version: current.version });
  };
  const isStale = progress.kind === 'refused' && progress.problem.status === 412;
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
      <SubscriptionFields values={values} problems={problems} change={change} />
    </FormDialog>
  );
}
