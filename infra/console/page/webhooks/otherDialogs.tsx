import { useState } from 'preact/hooks';
import type {
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useValues } from '../drafts.ts';
import { Field } from '../parts/Field.tsx';
import { FormDialog } from '../parts/FormDialog.tsx';
import { OverlapField } from '../parts/OverlapField.tsx';
import { SecretDialog } from '../parts/SecretDialog.tsx';
import { useSending } from '../sending.ts';
import { remove, rotateSecret } from './calls.ts';

const daySeconds = 24 * 3600;

interface Props<Done> {
  of: WebhookSubscription;
  done: (answer: Done) => void;
  close: (changed: boolean) => void;
}

export function RotateSecret({ of, done, close }: Props<SubscriptionWithSecret>) {
  const form = `webhook-rotate ${of.id}`;
  const [{ seconds }, change] = useValues(form, () => ({ seconds: daySeconds }));
  const { progress, send } = useSending(
    form,
    (overlap: number, once) => rotateSecret(of.id, overlap, once),
    done,
  );
  return (
    <FormDialog
      title="Rotate the secret"
      progress={progress}
      action="Rotate secret"
      waiting="Rotating…"
      open="No answer came, so the secret may have been rotated or not. “Try again” repeats the same request: it is rotated once."
      submit={() => send(seconds)}
      close={close}
    >
      <p>
        Webhooks to <code class="break">{of.url}</code> are signed with a new secret. Until the old one ends,
        they are signed with both.
      </p>
      <OverlapField seconds={seconds} change={(chosen) => change({ seconds: chosen })} />
    </FormDialog>
  );
}

export function DeleteSubscription({ of, done, close }: Props<unknown>) {
  const form = `webhook-delete ${of.id}`;
  const { host } = new URL(of.url);
  const [typed, type] = useState('');
  const [problem, say] = useState<string>();
  const { progress, send } = useSending(form, () => remove(of.id), done);
  const submit = () => (typed.trim() === host ? send({}) : say(`Type ${host} to delete it.`));
  return (
    <FormDialog
      title="Delete the subscription?"
      progress={progress}
      action="Delete subscription"
      waiting="Deleting…"
      open="No answer came, so the subscription may have been deleted or not. “Try again” makes sure of it."
      danger
      submit={submit}
      close={close}
    >
      <p>
        Nothing is sent to <code class="break">{of.url}</code> any more, also not what still waits. Its
        deliveries can no longer be read. This cannot be undone. To stop it for a while, pause it.
      </p>
      <Field label={`Type ${host} to confirm`} problem={problem}>
        {(described) => (
          <input
            {...described}
            value={typed}
            autocomplete="off"
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

export const WebhookSecret = ({ secret, close }: { secret: string; close: () => void }) => (
  <SecretDialog title="Copy the signing secret now" label="Signing secret" secret={secret} close={close}>
    <p>
      With it your receiver checks that a webhook is from here, as the libraries of Standard Webhooks do. Then
      send a test from the subscription’s page.
    </p>
  </SecretDialog>
);
