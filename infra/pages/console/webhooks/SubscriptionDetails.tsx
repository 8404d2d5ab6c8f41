import { useState } from 'preact/hooks';
import type { ConsoleKey } from '../../../../lib/contract/console/keys.ts';
import type { WebhookSubscription } from '../../../../lib/contract/webhookSubscriptions.ts';
import { readActivity } from '../activity/calls.ts';
import { readKeys } from '../keys/calls.ts';
import { useLoading } from '../loading.ts';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Time } from '../parts/Time.tsx';
import { toast } from '../parts/Toasts.tsx';
import { closeDialog, go, hrefOf, openDialog, route } from '../route.ts';
import { useSending } from '../sending.ts';
import { mayChange } from '../sessionState.ts';
import { useStore } from '../store.ts';
import { atMinute } from '../times.ts';
import { saveVersion } from '../versions.ts';
import { ByKey } from './ByKey.tsx';
import { readDeliveries, readSubscription, update } from './calls.ts';
import { Deliveries } from './log/Deliveries.tsx';
import { DeleteSubscription, RotateSecret, WebhookSecret } from './otherDialogs.tsx';
import { Stopped } from './Stopped.tsx';
import { EditSubscription } from './SubscriptionForm.tsx';
import { EventTypes, SubscriptionStatus } from './SubscriptionTable.tsx';
import { Suspended } from './Suspended.tsx';
import { TestCall } from './TestCall.tsx';
import * as texts from './texts.ts';
import { isStopped } from './words.ts';

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
          {(subscription) => <Details of={subscription} again={loading.again} />}
        </Loaded>
      )}
    </>
  );
}

/** What a deleted subscription leaves for a while: the log of its deliveries. */
function Deleted({ id }: { id: string }) {
  const loading = useLoading(() => readDeliveries(id), `deliveries of deleted ${id}`);
  return (
    <Loaded
      loading={loading}
      what={texts.readingOne}
      missing={{ href: hrefOf('webhooks'), way: texts.toAll }}
    >
      {() => (
        <>
          <Heading title={texts.deleted} about={texts.deletedAbout} />
          <Deliveries id={id} />
        </>
      )}
    </Loaded>
  );
}

type Opened = { kind: 'edit' | 'rotate' | 'delete' } | { kind: 'secret'; secret: string } | undefined;

/** The dialog of an address, if it has one that can be. */
function named(form: string | undefined, { id }: WebhookSubscription): Opened {
  const [, kind, of] = /^webhook-(edit|rotate|delete) (.*)$/.exec(form ?? '') ?? [];
  return of === id && mayChange() ? { kind: kind as 'edit' | 'rotate' | 'delete' } : undefined;
}

function Details({ of, again }: { of: WebhookSubscription; again: () => void }) {
  const { query } = useStore(route);
  const [secret, setSecret] = useState<Opened>();
  const open = (next: Opened) => {
    if (next === undefined || next.kind === 'secret') {
      setSecret(next);
      closeDialog();
    } else openDialog(`webhook-${next.kind} ${of.id}`);
  };
  return (
    <>
      <Heading title={new URL(of.url).host} about={<span class="break">{of.url}</span>}>
        {mayChange() && (
          <>
            <button type="button" onClick={() => open({ kind: 'edit' })}>
              {texts.actions.edit}
            </button>
            {!isStopped(of) && <PauseButton of={of} again={again} />}
            <button type="button" onClick={() => open({ kind: 'rotate' })}>
              {texts.actions.rotate}
            </button>
            <button type="button" class="bad" onClick={() => open({ kind: 'delete' })}>
              {texts.actions.remove}
            </button>
          </>
        )}
      </Heading>
      {of.status === 'suspended' && <Suspended />}
      {isStopped(of) && <Stopped of={of} />}
      <Facts of={of} />
      {mayChange() && !isStopped(of) && <TestCall id={of.id} />}
      <Deliveries id={of.id} subscription={of} again={again} />
      <Dialogs of={of} opened={secret ?? named(query.dialog, of)} open={open} again={again} />
    </>
  );
}

interface DialogProps {
  of: WebhookSubscription;
  opened: Opened;
  open: (next: Opened) => void;
  again: () => void;
}

function Dialogs({ of, opened, open, again }: DialogProps) {
  if (!opened) return null;
  const close = (changed: boolean) => {
    open(undefined);
    if (changed) again();
  };
  const saved = () => {
    close(true);
    toast(texts.saved);
  };
  const deleted = () => {
    go(hrefOf('webhooks'), 'replace');
    toast(texts.isDeleted);
  };
  if (opened.kind === 'secret') return <WebhookSecret secret={opened.secret} close={() => close(true)} />;
  if (opened.kind === 'edit') return <EditSubscription of={of} done={saved} close={close} />;
  if (opened.kind === 'delete') return <DeleteSubscription of={of} done={deleted} close={close} />;
  return <RotateSecret of={of} done={({ secret }) => open({ kind: 'secret', secret })} close={close} />;
}

/** Pauses an active subscription and resumes another. */
function PauseButton({ of, again }: { of: WebhookSubscription; again: () => void }) {
  const isActive = of.status === 'active';
  const patch = { status: isActive ? ('paused' as const) : ('active' as const) };
  const save = (version: number) =>
    saveVersion<WebhookSubscription>(patch, {
      write: () => update(of.id, patch, version),
      read: () => readSubscription(of.id),
      found: again,
    });
  const { progress, send } = useSending(`pause ${of.id}`, save, () => {
    toast(isActive ? texts.paused : texts.resumed);
    again();
  });
  const isPending = progress.kind === 'pending';
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => send(of.version)}>
        {isPending ? texts.actions.waiting : isActive ? texts.actions.pause : texts.actions.resume}
      </button>
      <span role="status" class="problem">
        {progress.kind === 'refused' && progress.problem.message}
        {progress.kind === 'open' && texts.noAnswer}
      </span>
    </>
  );
}

function Facts({ of }: { of: WebhookSubscription }) {
  // Without the names, the ids are shown.
  const { data: keys = [] } = useLoading(readKeys, 'keys');
  return <FactsWith of={of} keys={keys} />;
}

/** Who has made a subscription in this page, as long as the newest entries of the activity say it. */
function ByPerson({ of }: { of: WebhookSubscription }) {
  const { data } = useLoading(() => readActivity(undefined), 'newest activity');
  const made = data?.data.find(
    ({ action, subscription_id }) => action === 'subscription.created' && subscription_id === of.id,
  );
  return made ? (
    <>
      {texts.by} <bdi>{made.author.name}</bdi> {texts.inThisPage}
    </>
  ) : (
    <span>{texts.inThisPage}</span>
  );
}

const FactsWith = ({ of, keys }: { of: WebhookSubscription; keys: readonly ConsoleKey[] }) => (
  <dl class="facts">
    <Fact label={texts.facts.status}>
      <SubscriptionStatus of={of} />
    </Fact>
    <Fact label={texts.facts.events}>
      <EventTypes of={of} />
    </Fact>
    <Fact label={texts.facts.content}>{texts.payloads[of.payload]}</Fact>
    <Fact label={texts.facts.secret}>
      <code>…{of.secret_hint}</code>
      {of.previous_secret_expires_at && (
        <small>
          {texts.facts.previous} <Time at={of.previous_secret_expires_at} how={atMinute} />
        </small>
      )}
    </Fact>
    {of.max_per_second !== null && (
      <Fact label={texts.facts.rate}>{texts.facts.perSecond(of.max_per_second)}</Fact>
    )}
    {of.exclude_own && <Fact label={texts.facts.leavesOut}>{texts.facts.own}</Fact>}
    {of.changed_fields && (
      <Fact label={texts.facts.updates}>{texts.facts.onlyOf(of.changed_fields.join(', '))}</Fact>
    )}
    <Fact label={texts.facts.id}>
      <code>{of.id}</code> <CopyButton text={of.id} />
    </Fact>
    <Fact label={texts.facts.created}>
      <Time at={of.created_at} how={atMinute} />{' '}
      {of.created_by_key_id === null ? <ByPerson of={of} /> : <ByKey id={of.created_by_key_id} keys={keys} />}
      {of.version > 1 && (
        <small>
          {texts.facts.changed} <ByKey id={of.updated_by_key_id} keys={keys} />
        </small>
      )}
    </Fact>
    {of.description && <Fact label={texts.facts.description}>{of.description}</Fact>}
  </dl>
);
