import { useState } from 'preact/hooks';
import type {
  SubscriptionPatch,
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useValues } from '../drafts.ts';
import { useEditing } from '../editing.ts';
import { FormDialog, type FormOf } from '../parts/dialog/FormDialog.tsx';
import { useSending } from '../sending.ts';
import {
  emptyValues,
  problemsOf,
  SubscriptionFields,
  type SubscriptionValues,
  sentOf,
  valuesOf,
} from './SubscriptionFields.tsx';
import { create, readSubscription, update } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';

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
      send({ ...sentOf(values), exclude_own: false, status: 'active' });
  };
  return (
    <FormDialog
      title={texts.formCreate}
      progress={progress}
      action={texts.create}
      waiting={texts.formCreating}
      submit={submit}
      close={close}
    >
      <SubscriptionFields values={values} problems={wasSubmitted ? problems : {}} change={change} />
    </FormDialog>
  );
}

const patchOf = (of: WebhookSubscription, values: SubscriptionValues): SubscriptionPatch => {
  const before = sentOf(valuesOf(of));
  return Object.fromEntries(
    Object.entries(sentOf(values)).filter(
      ([field, value]) => String(value) !== String(before[field as keyof typeof before]),
    ),
  );
};

export const editForm = ({ id }: WebhookSubscription): string => `webhook-edit ${id}`;

export function EditSubscription({ of, done, close }: FormOf<WebhookSubscription, WebhookSubscription>) {
  const { values, change, current, isStale, form } = useEditing(editForm(of), {
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
      title={texts.formEdit}
      {...form}
      close={close}
      refusal={isStale && texts.formNewer(current.event_types.join(', '), current.url)}
    >
      <SubscriptionFields values={values} problems={problemsOf(values)} change={change} />
    </FormDialog>
  );
}
