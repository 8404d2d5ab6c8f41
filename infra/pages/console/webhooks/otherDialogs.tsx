import type {
  SubscriptionWithSecret,
  WebhookSubscription,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { useLoading } from '../loading.ts';
import { useConfirmed } from '../parts/dialog/ConfirmField.tsx';
import { FormDialog, type FormOf } from '../parts/dialog/FormDialog.tsx';
import { RotateDialog } from '../parts/dialog/RotateDialog.tsx';
import { SecretDialog } from '../parts/dialog/SecretDialog.tsx';
import { InReference } from '../parts/InReference.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { useSending } from '../sending.ts';
import { readDeliveries, remove, rotateSecret } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';

const daySeconds = 24 * 3600;

export const rotateForm = ({ id }: WebhookSubscription): string => `webhook-rotate ${id}`;

export const RotateSecret = ({ of, done, close }: FormOf<WebhookSubscription, SubscriptionWithSecret>) => (
  <RotateDialog
    form={rotateForm(of)}
    title={texts.rotateTitle}
    action={texts.rotateAction}
    waiting={texts.rotateWaiting}
    about={<Sentence of={texts.rotateAbout} url={<code class="break">{of.url}</code>} />}
    preset={daySeconds}
    rotate={(seconds, once) => rotateSecret(of.id, seconds, once)}
    done={done}
    close={close}
  />
);

export const deleteForm = ({ id }: WebhookSubscription): string => `webhook-delete ${id}`;

export function DeleteSubscription({ of, done, close }: FormOf<WebhookSubscription, unknown>) {
  const { host } = new URL(of.url);
  const confirmed = useConfirmed(host);
  const loading = useLoading(() => readDeliveries(of.id), `deliveries to delete ${of.id}`);
  // One whose deliveries are not known may have some.
  const isUsed = loading.data?.total !== 0;
  const { progress, send } = useSending(deleteForm(of), () => remove(of.id), done);
  const submit = () => {
    if (progress.kind === 'open' || !isUsed || confirmed.isRight) send({});
    else if (loading.data || !loading.isReading) confirmed.complain();
  };
  return (
    <FormDialog
      title={texts.removeTitle}
      progress={progress}
      action={texts.removeAction}
      waiting={texts.removeWaiting}
      danger
      submit={submit}
      close={close}
    >
      <p>
        <Sentence of={texts.removeAbout} url={<code class="break">{of.url}</code>} />
      </p>
      <p aria-live="polite">
        {loading.data
          ? isUsed
            ? texts.removeDeliveries(loading.data.total)
            : texts.removeNoDeliveries
          : loading.isReading
            ? texts.removeLooking
            : texts.removeUnknown}
      </p>
      {isUsed && confirmed.field}
    </FormDialog>
  );
}

export const WebhookSecret = ({ secret, close }: { secret: string; close: () => void }) => (
  <SecretDialog title={texts.secretTitle} label={texts.secretLabel} secret={secret} close={close}>
    <p>
      {texts.secretAbout}{' '}
      <InReference page="webhooks.html#verify-a-delivery" isExtra>
        {texts.secretVerify}
      </InReference>
    </p>
  </SecretDialog>
);
