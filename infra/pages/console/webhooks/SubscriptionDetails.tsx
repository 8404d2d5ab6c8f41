import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { go } from '../addressHistory.ts';
import { readResponded, readShown, useLoading } from '../loading.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { type OpenDialog, useDialog } from '../parts/dialog/useDialog.ts';
import { Fact } from '../parts/Fact.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Notice } from '../parts/Notice.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { Time } from '../parts/Time.tsx';
import { toast } from '../parts/Toasts.tsx';
import { hrefOf } from '../route.ts';
import { saveVersion } from '../saveVersion.ts';
import { useSending } from '../sending.ts';
import { mayChange } from '../sessionState.ts';
import { atMinute } from '../shownTimes.ts';
import { ByKey } from './ByKey.tsx';
import { FailingNotice } from './FailingNotice.tsx';
import { Deliveries } from './log/Deliveries.tsx';
import { DeleteSubscription, deleteForm, RotateSecret, rotateForm, WebhookSecret } from './otherDialogs.tsx';
import { EditSubscription, editForm } from './SubscriptionForm.tsx';
import { EventTypes, SubscriptionStatus } from './SubscriptionTable.tsx';
import { TestCall, useTest } from './TestCall.tsx';
import { type ConsoleSubscription, readDeliveries, readSubscription, update } from './webhookCalls.ts';
import * as texts from './webhookTexts.ts';
import { isFailing, isStopped } from './webhookWords.ts';

export function SubscriptionDetails({ id }: { id: string }) {
  const loading = useLoading(() => readSubscription(id), `webhook ${id}`);
  return (
    <>
      <p class="back">
        <a href={hrefOf('webhooks')}>{texts.back}</a>
      </p>
      {loading.problem?.status === 404 && !loading.isReading ? (
        <Deleted id={id} />
      ) : (
        <Loaded loading={loading} what={texts.readingOne}>
          {(subscription) => <Details of={subscription} />}
        </Loaded>
      )}
    </>
  );
}

/** A deleted subscription leaves the log of its deliveries for a while. */
function Deleted({ id }: { id: string }) {
  const loading = useLoading(() => readDeliveries(id), `deliveries of deleted ${id}`);
  return (
    <Loaded loading={loading} what={texts.readingOne} isView>
      {() => (
        <>
          <Heading title={texts.deleted} about={texts.deletedAbout(id)} />
          <Deliveries id={id} />
        </>
      )}
    </Loaded>
  );
}

function Details({ of }: { of: ConsoleSubscription }) {
  const dialog = useDialog<string>();
  const test = useTest(of.id, readResponded);
  return (
    <>
      <Heading title={of.description ?? new URL(of.url).host} about={<span class="break">{of.url}</span>}>
        {mayChange() && (
          <>
            <button type="button" onClick={() => dialog.open(editForm(of))}>
              {texts.actionsEdit}
            </button>
            {!isStopped(of) && <PauseButton of={of} />}
            <button type="button" onClick={() => dialog.open(rotateForm(of))}>
              {texts.actionsRotate}
            </button>
            <button type="button" class="bad" onClick={() => dialog.open(deleteForm(of))}>
              {texts.actionsRemove}
            </button>
          </>
        )}
      </Heading>
      <Held of={of} />
      <FailingNotice of={of} test={test} />
      {mayChange() && !isStopped(of) && !isFailing(of) && <TestCall test={test} />}
      <Facts of={of} />
      <Deliveries id={of.id} subscription={of} />
      <Dialogs of={of} dialog={dialog} />
    </>
  );
}

/** Says why nothing is sent, and who ends it. */
function Held({ of }: { of: WebhookSubscription }) {
  const { status, status_reason, url } = of;
  if (status !== 'suspended' && !isStopped(of)) return null;
  const [what, about] =
    status === 'suspended'
      ? [texts.suspended, texts.suspendedAbout + (mayChange() ? texts.suspendedResume : '')]
      : status_reason === 'blocked'
        ? [texts.blocked(new URL(url).hostname), texts.blockedAbout]
        : [texts.stopped, texts.stoppedAbout];
  return (
    <Notice tone="warn">
      <p>
        <strong>{what}</strong> {about}
      </p>
    </Notice>
  );
}

interface DialogProps {
  of: WebhookSubscription;
  /** Its secret is the new one of the subscription. */
  dialog: OpenDialog<string>;
}

function Dialogs({ of, dialog: { name, secret, ...dialog } }: DialogProps) {
  const close = (changed: boolean) => {
    dialog.close();
    if (changed) readShown();
  };
  const saved = () => {
    close(true);
    toast(texts.saved);
  };
  const deleted = () => {
    go(hrefOf('webhooks'), 'replace');
    toast(texts.isDeleted);
  };
  if (secret) return <WebhookSecret secret={secret} close={() => close(true)} />;
  if (name === editForm(of)) return <EditSubscription of={of} done={saved} close={close} />;
  if (name === deleteForm(of)) return <DeleteSubscription of={of} done={deleted} close={close} />;
  if (name === rotateForm(of))
    return <RotateSecret of={of} done={(rotated) => dialog.show(rotated.secret)} close={close} />;
  return null;
}

/** Pauses an active subscription and resumes another. */
function PauseButton({ of }: { of: WebhookSubscription }) {
  const isActive = of.status === 'active';
  const patch = { status: isActive ? ('paused' as const) : ('active' as const) };
  const save = (version: number) =>
    saveVersion<WebhookSubscription>(patch, {
      write: () => update(of.id, patch, version),
      read: () => readSubscription(of.id),
      found: readShown,
    });
  const { progress, send } = useSending(`pause ${of.id}`, save, () => {
    toast(isActive ? texts.paused : texts.resumed);
    readResponded();
  });
  const isPending = progress.kind === 'pending';
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => send(of.version)}>
        {isPending ? texts.actionsWaiting : isActive ? texts.actionsPause : texts.actionsResume}
      </button>
      <Outcome of={progress} />
    </>
  );
}

const Facts = ({ of }: { of: ConsoleSubscription }) => (
  <dl class="facts">
    <Fact label={texts.factsStatus}>
      <SubscriptionStatus of={of} isBrief={isFailing(of)} />
    </Fact>
    <Fact label={texts.factsEvents}>
      <EventTypes of={of} />
    </Fact>
    <Fact label={texts.factsContent}>{texts.payloads[of.payload]}</Fact>
    <Fact label={texts.factsSecret}>
      <code>…{of.secret_hint}</code>
      {of.previous_secret_expires_at && (
        <small>
          <Sentence
            of={texts.factsPrevious}
            time={<Time at={of.previous_secret_expires_at} how={atMinute} />}
          />
        </small>
      )}
    </Fact>
    {of.max_per_second !== null && (
      <Fact label={texts.factsRate}>{texts.factsPerSecond(of.max_per_second)}</Fact>
    )}
    {of.exclude_own && <Fact label={texts.factsLeavesOut}>{texts.factsOwn}</Fact>}
    {of.changed_fields && (
      <Fact label={texts.factsUpdates}>{texts.factsOnlyOf(of.changed_fields.join(', '))}</Fact>
    )}
    <Fact label={texts.factsId}>
      <code>{of.id}</code> <CopyButton text={of.id} />
    </Fact>
    <Fact label={texts.factsCreated}>
      <Sentence
        of={texts.factsCreatedAt}
        time={<Time at={of.created_at} how={atMinute} />}
        by={<ByKey id={of.created_by_key_id} />}
      />
      {of.version > 1 && (
        <small>
          <Sentence of={texts.factsChanged} by={<ByKey id={of.updated_by_key_id} />} />
        </small>
      )}
    </Fact>
  </dl>
);
